#include <catch2/catch.hpp>

#include "core/distributions.hpp"
#include "tests/support/coverage.hpp"

namespace hockney::models {

// The short form of tests/benchmarks/fit_coverage.cpp. Ten launches: the order-statistic interval
// holds the truth with probability 1 - 22/1024.

namespace {

constexpr double nominal = 0.978515625;

/// The fewest successes in n that chance allows once in a thousand times.
int fewest(int n, double probability) {
  return static_cast<int>(binomial_quantile(n, probability, 1e-3));
}

Scenario scenario(const std::string& name) {
  for (const Scenario& known : coverage_scenarios()) {
    if (known.name == name) return known;
  }
  throw std::out_of_range(name);
}

void check_coverage(const Coverage& coverage) {
  for (std::size_t k = 0; k < coverage.segments.size(); ++k) {
    CAPTURE(k);
    CHECK(coverage.segments[k].alpha >= fewest(coverage.trials, nominal));
    CHECK(coverage.segments[k].beta >= fewest(coverage.trials, nominal));
  }
}

}  // namespace

TEST_CASE("intervals of one line hold the truth") {
  check_coverage(study_coverage(scenario("one segment").campaign, 150, 1));
}

TEST_CASE("intervals are narrow enough to miss a truth six percent off") {
  SyntheticCampaign campaign = scenario("one segment").campaign;
  Coverage coverage{.segments = std::vector<Coverage::OfSegment>(1)};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Curve curve = collect_curves(synthetic_records(campaign, seed)).curves.front();
    SyntheticCampaign wrong = campaign;
    wrong.truth.front().alpha_seconds *= 1.06;
    wrong.truth.front().beta_seconds_per_byte *= 1.06;
    count_trial(coverage, wrong, std::get<Fit>(fit_curve(curve)));
  }
  CHECK(coverage.segments.front().alpha < 30);
  CHECK(coverage.segments.front().beta < 30);
}

TEST_CASE("an eager limit is found and both lines' intervals hold the truth") {
  const Coverage coverage = study_coverage(scenario("eager limit").campaign, 150, 1);
  check_coverage(coverage);
  CHECK(coverage.breakpoints.front() >= fewest(150, 0.99));
  CHECK(coverage.found.at(2) >= fewest(150, 0.99));
}

TEST_CASE("three protocols are found, and never a fourth") {
  const Coverage coverage = study_coverage(scenario("three protocols").campaign, 40, 1);
  check_coverage(coverage);
  for (const int found : coverage.breakpoints) CHECK(found >= fewest(40, 0.99));
  CHECK(coverage.found.rbegin()->first <= 3);
}

}  // namespace hockney::models
