#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/support/study.hpp"

namespace hockney::simulation {
namespace {

/// The fits of operations whose every message is one of the platform's, of its bytes without gaps.
std::vector<JsonNode> fits_of(const Platform& platform, const std::string& operations,
                              const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"--operations", operations, "--sizes",
                                     "64:4M:4",      "--epochs", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return fits_of_simulation({.platform = platform, .arguments = arguments});
}

void check_message(const Platform& platform, const JsonNode& fit) {
  INFO(fit.at("operation").text());
  const auto segments = fit.at("segments").elements();
  REQUIRE(segments.size() == 1);
  check_segment(segments[0], wire(platform));
}

TEST_CASE("alpha and beta of data with gaps are those of one message without them", "[study]") {
  for (const Platform& platform : first_of<Platform>(1, {{1e-6, 10e9}, {5e-6, 1e9}})) {
    const auto fits = fits_of(platform, "derived-pingpong,pack-pingpong,copy-pingpong",
                              {"--layout", "all", "--datatype", "double"});
    REQUIRE(fits.size() == 12);
    for (const JsonNode& fit : fits) check_message(platform, fit);
  }
}

}  // namespace
}  // namespace hockney::simulation
