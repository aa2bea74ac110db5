#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/simulation/simulated_launch.hpp"

// Kernels on a simulated cluster, where computing and messages take times that are known.
namespace hockney::simulation {
namespace {

/// Four hosts of 1 Gflop/s with links of this bandwidth [B/s].
std::string cluster_xml(const std::string& bandwidth) {
  return R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw=")" +
         bandwidth + R"(Bps" lat="1us"/>
  </zone>
</platform>
)";
}

/// Medians of a way by the work that is done [s].
std::map<std::string, double> times_of(const Record& record, const std::string& way) {
  std::map<std::string, double> times;
  for (const Series& series : record.series) {
    if (series.point.parameters.at("way") != way) continue;
    times[series.point.parameters.at("work")] = series.summary.median_seconds.value_or(-1);
  }
  return times;
}

}  // namespace

/// A product takes 2 W + C where blocks are passed on between the two products of blocks, and
/// W + max(W, C) where that goes on meanwhile: W is what a product of blocks takes, C the messages.
TEST_CASE("Cannon's product takes W + C a step, and the longer of both where they overlap") {
  constexpr double work = 2.0 * 32 * 32 * 32 / 1e9;  // flops of a block on a host
  for (const std::string bandwidth : {"1e9", "1e8"}) {
    const Record record =
        record_on(cluster_xml(bandwidth), 4,
                  {"hockney-cannon", "--sizes", "64", "--ways", "blocking,immediate"});
    auto blocking = times_of(record, "blocking");
    auto immediate = times_of(record, "immediate");
    const double start = immediate["alone"] - 2 * work;  // the ranks begin after a barrier
    CHECK((start > 0 && start < 1e-5));
    const double messages = immediate["none"] - start;
    CHECK((messages > work) == (bandwidth == "1e8"));
    CHECK(blocking["after"] == Approx(blocking["alone"] + blocking["none"] - start).epsilon(1e-3));
    CHECK(immediate["after"] == Approx(2 * work + messages + start).epsilon(1e-3));
    CHECK(immediate["during"] == Approx(work + std::max(work, messages) + start).epsilon(1e-2));
  }
}

/// A step of a block of 32x32 points takes 5 flops a point.
TEST_CASE(
    "the exchange of a halo hides behind computing, and neighbourhoods are said to be missing") {
  const Record record = record_on(cluster_xml("1e9"), 4,
                                  {"hockney-halo", "--points", "64x64", "--iterations", "100"});
  constexpr double work = 5.0 * 32 * 32 / 1e9;
  for (const std::string way : {"blocking", "immediate", "persistent", "fence", "pscw", "lock"}) {
    INFO(way);
    auto times = times_of(record, way);
    CHECK(times["alone"] == Approx(work).epsilon(1e-2));
    CHECK(times["after"] == Approx(times["alone"] + times["none"]).epsilon(0.1));
    if (way == "immediate" || way == "persistent") {
      CHECK(times["during"] == Approx(work).epsilon(2e-2));
    }
  }
  const auto is_skipped = [](const PlannedPoint& planned) {
    return planned.point.parameters.at("way") == "neighbourhood" &&
           planned.status == PointStatus::skipped && !planned.reason.empty();
  };
  CHECK(std::ranges::count_if(record.points, is_skipped) == 4);
}

}  // namespace hockney::simulation
