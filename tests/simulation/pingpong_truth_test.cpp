#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/simulation/simulated_campaign.hpp"

namespace hockney::simulation {
namespace {

/// The break lies in the grid interval that holds the threshold.
void check_break(const JsonNode& before, const JsonNode& after, std::int64_t threshold) {
  CHECK(before.at("to_bytes").integer() <= threshold);
  CHECK(after.at("from_bytes").integer() >= threshold);
  // Eight sizes an octave: neighbours are less than a tenth apart.
  CHECK(after.at("from_bytes").number() <= 1.1 * before.at("to_bytes").number() + 1);
}

TEST_CASE("alpha and beta of an ideal link are found, in one segment") {
  const Platform platform =
      GENERATE(Platform{1e-6, 10e9}, Platform{200e-9, 25e9}, Platform{5e-6, 1e9},
               Platform{50e-6, 100e6}, Platform{1.3e-6, 12.5e9});
  const JsonNode fit = fit_of_simulation(platform, "0:4M:4");
  const auto segments = fit.at("segments").elements();
  REQUIRE(segments.size() == 1);
  check_segment(segments.front(), wire(platform));
  CHECK(fit.at("point").at("hop").text() == "cross-node");
  CHECK(fit.at("mape").number() < 1e-6);
}

TEST_CASE("one planted protocol switch gives two segments and no more") {
  const Platform platform{1e-6, 10e9};
  const JsonNode fit =
      fit_of_simulation(platform, "0:4M:8",
                        {"--cfg=smpi/send-is-detached-thresh:16384", "--cfg=smpi/os:0:3e-7:5e-11",
                         "--cfg=smpi/or:0:4e-7:6e-11"});
  const auto segments = fit.at("segments").elements();
  REQUIRE(segments.size() == 2);
  check_break(segments[0], segments[1], 16384);
  const Line link = wire(platform);
  // Overheads of sender and receiver are charged below the switch to rendezvous only.
  check_segment(segments[0], {link.alpha_seconds + 7e-7, link.beta_seconds_per_byte + 11e-11});
  check_segment(segments[1], link);
}

TEST_CASE("two planted steps give three segments and no more") {
  const Platform platform{2e-6, 5e9};
  const JsonNode fit =
      fit_of_simulation(platform, "0:4M:8",
                        {"--cfg=smpi/send-is-detached-thresh:65536",
                         "--cfg=smpi/os:0:2e-7:1e-10;2000:3e-6:0", "--cfg=smpi/or:0:1e-7:0"});
  const auto segments = fit.at("segments").elements();
  REQUIRE(segments.size() == 3);
  check_break(segments[0], segments[1], 2000);
  check_break(segments[1], segments[2], 65536);
  const Line link = wire(platform);
  check_segment(segments[0], {link.alpha_seconds + 3e-7, link.beta_seconds_per_byte + 1e-10});
  check_segment(segments[1], {link.alpha_seconds + 3.1e-6, link.beta_seconds_per_byte});
  check_segment(segments[2], link);
}

TEST_CASE("on an ideal link the other suites find the same alpha and beta") {
  const Platform platform{1e-6, 10e9};
  const auto fits = fits_of_simulation(
      {.platform = platform,
       .arguments = {"--sizes", "0:4M:4", "--compat", "osu,imb", "--epochs", "1"}});
  REQUIRE(fits.size() == 3);
  // OMB: half of the first rank's round trips. IMB: the loop of the slower rank, of 100 calls or
  // fewer, in which the second rank may also wait for the first one to leave the barrier.
  check_segment(fits[1].at("segments").elements().front(), wire(platform));
  const Line link = wire(platform);
  const JsonNode imb = fits[2].at("segments").elements().front();
  CHECK(imb.at("alpha_seconds").number() >= (1 - link_tolerance) * link.alpha_seconds);
  CHECK(imb.at("alpha_seconds").number() <= 1.1 * link.alpha_seconds);
}

}  // namespace
}  // namespace hockney::simulation
