#include <catch2/catch.hpp>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/simulation/simulated_launch.hpp"

// In a simulator time passes in messages alone: what ranks do by themselves has none.
namespace hockney::simulation {
namespace {

TEST_CASE("noise, neighbours and pages are skipped in a simulator, with the reason") {
  const Record record = record_on(platform_xml({1e-6, 1e9}), 2, {"hockney-noise"});
  CHECK(record.series.empty());
  CHECK(record.noise.empty());
  CHECK_FALSE(record.points.empty());
  for (const PlannedPoint& planned : record.points) {
    CHECK(planned.status == PointStatus::skipped);
    CHECK_FALSE(planned.reason.empty());
  }
}

}  // namespace
}  // namespace hockney::simulation
