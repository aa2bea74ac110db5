#include <catch2/catch.hpp>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/simulation/simulated_launch.hpp"

// A simulator starts no processes and has no connections: what is left is known.
namespace hockney::simulation {
namespace {

Record start_up(const Platform& platform) {
  return record_on(platform_xml(platform), 2, {"hockney-startup"});
}

TEST_CASE("the first message of a simulator takes what the second one takes, and the wire says") {
  const Platform platform = GENERATE(Platform{1e-6, 10e9}, Platform{5e-6, 1e9});
  const Record record = start_up(platform);
  const Line link = wire(platform);
  const double round_trip = 2 * (link.alpha_seconds + 8 * link.beta_seconds_per_byte);
  int contacts = 0;
  for (const Series& series : record.series) {
    if (series.point.operation == "first-contact") {
      ++contacts;
      CHECK(series.samples_seconds.front() == Approx(round_trip).epsilon(link_tolerance));
    }
    CHECK(series.flags.empty());
  }
  CHECK(contacts == 2);
}

TEST_CASE("what a simulator has not is skipped, with the reason") {
  const Record record = start_up({1e-6, 10e9});
  for (const PlannedPoint& planned : record.points) {
    const std::string& operation = planned.point.operation;
    INFO(operation);
    const bool is_there = operation == "first-contact" || operation.starts_with("comm-") ||
                          operation == "cart-create";
    CHECK((planned.status == PointStatus::measured) == is_there);
    CHECK(planned.reason.empty() == is_there);
  }
  CHECK(record.memory.empty());
}

}  // namespace
}  // namespace hockney::simulation
