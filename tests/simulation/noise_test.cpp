#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/support/study.hpp"

// Noise is no breakpoint: a platform with one step, whose messages and launches are noisy.
namespace hockney::simulation {
namespace {

constexpr std::int64_t step_bytes = 8192;  // from here on, every send takes 2 us more

struct Findings {
  int right = 0;   ///< one breakpoint, where the step is
  int extra = 0;   ///< more segments than planted
  int missed = 0;  ///< no breakpoint where the step is
};

Findings run_campaigns(int campaigns) {
  Findings findings;
  for (int campaign = 1; campaign <= campaigns; ++campaign) {
    const auto fits = fits_of_simulation(
        {.platform_file = HOCKNEY_NOISY_PLATFORM,
         .arguments = {"--sizes", "1:48K:4", "--epochs", "10", "--samples", "5"},
         .settings = {"--cfg=smpi/os:0:0:0;" + std::to_string(step_bytes) + ":2e-6:0"},
         .launches = 8,
         .seed = static_cast<std::uint64_t>(campaign)});
    REQUIRE(fits.size() == 1);
    const auto segments = fits.front().at("segments").elements();
    const bool is_found = std::ranges::any_of(segments, [](const JsonNode& segment) {
      return segment.at("to_bytes").integer() == step_bytes;
    });
    findings.extra += segments.size() > 2 ? 1 : 0;
    findings.missed += is_found ? 0 : 1;
    findings.right += is_found && segments.size() == 2 ? 1 : 0;
  }
  return findings;
}

}  // namespace

TEST_CASE("a step is found among noise, and nothing else", "[study]") {
  const Findings findings = run_campaigns(is_nightly() ? 3 : 1);
  CHECK(findings.missed == 0);
  CHECK(findings.extra == 0);
}

// tests/benchmarks/README.md says how to run it.
TEST_CASE("breakpoints among noise, how often", "[.][study]") {
  const char* runs = std::getenv("HOCKNEY_RUNS");
  const int campaigns = runs == nullptr ? 100 : std::atoi(runs);
  const Findings findings = run_campaigns(campaigns);
  std::cout << campaigns << " campaigns: right " << findings.right << ", extra breakpoints "
            << findings.extra << ", step missed " << findings.missed << '\n';
  CHECK(20 * findings.extra <= campaigns);
}

}  // namespace hockney::simulation
