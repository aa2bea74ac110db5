#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/simulation/simulated_campaign.hpp"

namespace hockney::simulation {
namespace {

/// Fits of put and get by this synchronisation, with the platform's messages as the only cost.
std::vector<JsonNode> fits_of(const Platform& platform, const std::string& synchronisation,
                              const std::string& kind) {
  return fits_of_simulation(
      {.platform = platform,
       .arguments = {"--operations", "put,get", "--sizes", "0:4M:4", "--synchronisation",
                     synchronisation, "--window-kind", kind, "--epochs", "1"}});
}

/// The data go in one of so many messages that follow each other; the others are empty.
void check_messages(const Platform& platform, const JsonNode& fit, int messages) {
  INFO(fit.at("operation").text() << " " << fit.at("point").at("completion").text());
  const auto segments = fit.at("segments").elements();
  REQUIRE(segments.size() == 1);
  const Line link = wire(platform);
  check_segment(segments[0], {messages * link.alpha_seconds, link.beta_seconds_per_byte});
}

TEST_CASE("alpha and beta of one-sided calls are those of the messages that SMPI makes of them") {
  const Platform platform = GENERATE(Platform{1e-6, 10e9}, Platform{5e-6, 1e9});
  const std::string kind = GENERATE("created", "allocated");
  for (const char* synchronisation : {"flush", "lock"}) {
    INFO(synchronisation << " " << kind);
    const auto fits = fits_of(platform, synchronisation, kind);
    REQUIRE(fits.size() == 3);
    check_messages(platform, fits[0], 1);  // get at the origin
    check_messages(platform, fits[1], 1);  // put at the origin
    check_messages(platform, fits[2], 2);  // put at the target, which is told by another message
  }
  // MPI_Win_start waits for a message of MPI_Win_post.
  const auto fits = fits_of(platform, "pscw", kind);
  REQUIRE(fits.size() == 3);
  for (const JsonNode& fit : fits) check_messages(platform, fit, 2);
}

}  // namespace
}  // namespace hockney::simulation
