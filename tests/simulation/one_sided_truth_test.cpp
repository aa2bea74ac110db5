#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/support/study.hpp"

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

std::string completion_of(const JsonNode& fit) {
  return fit.at("point").at("parameters").at("completion").text();
}

/// The data go in one of so many messages that follow each other; the others are empty. So many
/// more share the link with them, each with 16 bytes of its own.
void check_messages(const Platform& platform, const JsonNode& fit, int messages, int beside = 0) {
  INFO(fit.at("operation").text() << " " << completion_of(fit));
  const auto segments = fit.at("segments").elements();
  REQUIRE(segments.size() == 1);
  const Line link = wire(platform);
  const double shared_seconds = beside * (link.alpha_seconds - platform.latency_seconds);
  check_segment(segments[0],
                {messages * link.alpha_seconds + shared_seconds, link.beta_seconds_per_byte});
}

TEST_CASE("alpha and beta of one-sided calls are those of the messages that SMPI makes of them",
          "[study]") {
  const auto kinds = first_of<std::pair<std::string, Platform>>(2, {{"created", {1e-6, 10e9}},
                                                                    {"allocated", {5e-6, 1e9}},
                                                                    {"created", {5e-6, 1e9}},
                                                                    {"allocated", {1e-6, 10e9}}});
  const auto& [kind, platform] = kinds[GENERATE_COPY(range(std::size_t{0}, kinds.size()))];
  for (const char* synchronisation : {"flush", "lock"}) {
    INFO(synchronisation << " " << kind);
    const auto fits = fits_of(platform, synchronisation, kind);
    REQUIRE(fits.size() == 3);
    for (const JsonNode& fit : fits) {  // the target is told by another message
      check_messages(platform, fit, completion_of(fit) == "target" ? 2 : 1);
    }
  }
  // MPI_Win_start waits for a message of MPI_Win_post. That of MPI_Win_complete goes the way of
  // what is put, at the same time, and against that of what is got.
  const auto fits = fits_of(platform, "pscw", kind);
  REQUIRE(fits.size() == 3);
  for (const JsonNode& fit : fits) {
    check_messages(platform, fit, 2, fit.at("operation").text() == "put" ? 1 : 0);
  }
}

TEST_CASE("one call of the first rank on all others takes what put and get take") {
  const Platform platform = GENERATE(Platform{1e-6, 10e9}, Platform{5e-6, 1e9});
  const auto fits =
      fits_of_simulation({.platform = platform,
                          .arguments = {"--operations", "one-put-all,one-get-all", "--sizes",
                                        "64:4M:4", "--completion", "origin", "--epochs", "1"}});
  REQUIRE(fits.size() == 2);
  // Ranks begin together, and an empty message of that goes the way of what is put.
  for (const JsonNode& fit : fits) {
    check_messages(platform, fit, 1, fit.at("operation").text() == "one-put-all" ? 1 : 0);
  }
}

}  // namespace
}  // namespace hockney::simulation
