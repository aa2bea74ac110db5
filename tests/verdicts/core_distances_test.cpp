#include "verdicts/core_distances.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/machine_campaign.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {
namespace {

/// `near` launches at 50 ns, then `far` ones at `line` ns that take `factor` times as long.
std::vector<LaunchOnCores> launches_of(int near, int far, double line, double factor) {
  std::vector<LaunchOnCores> launches;
  for (int i = 0; i < near + far; ++i) {
    const double spread = 1 + 0.01 * (i % 5);
    const bool is_far = i >= near;
    launches.push_back({.line_seconds = (is_far ? line : 50e-9) * spread,
                        .seconds = (is_far ? factor : 1) * 1e-6 * spread});
  }
  return launches;
}

PlantedMachine far_from_six(std::size_t launch, std::size_t) {
  return {.line = launch < 6 ? 1 : 4.5};
}

}  // namespace

TEST_CASE("launches on near and far cores are parted, with line and time of each") {
  const auto found = find_core_distances(launches_of(6, 8, 227e-9, 3));
  REQUIRE(found);
  CHECK(found->near.launches == 6);
  CHECK(found->far.launches == 8);
  CHECK(found->near.line_seconds == Approx(50e-9).epsilon(0.05));
  CHECK(found->far.line_seconds == Approx(227e-9).epsilon(0.05));
  CHECK(found->far.seconds / found->near.seconds == Approx(3).epsilon(0.05));
}

TEST_CASE("launches are not parted") {
  SECTION("by five of them") { CHECK_FALSE(find_core_distances(launches_of(9, 5, 227e-9, 3))); }
  SECTION("by lines less than 1.5 apart") {
    CHECK_FALSE(find_core_distances(launches_of(8, 8, 70e-9, 3)));
  }
  SECTION("if their times agree") {
    CHECK_FALSE(find_core_distances(launches_of(8, 8, 227e-9, 1)));
  }
  SECTION("by lines that spread without a gap") {
    std::vector<LaunchOnCores> launches;
    for (int i = 0; i < 16; ++i) {
      launches.push_back({.line_seconds = 50e-9 + 10e-9 * i, .seconds = 1e-6 * (1 + i)});
    }
    CHECK_FALSE(find_core_distances(launches));
  }
  SECTION("without any") { CHECK_FALSE(find_core_distances({})); }
}

namespace {

/// Launches of tests/fixtures/machine-states: latency and cache line [us].
std::vector<LaunchOnCores> launches_in(const std::string& name) {
  std::ifstream file(HOCKNEY_SOURCE_DIR "/tests/fixtures/machine-states/" + name);
  std::vector<LaunchOnCores> launches;
  constexpr double micro = 1e-6;
  for (double time = 0, line = 0; file >> time >> line;) {
    launches.push_back({.line_seconds = line * micro, .seconds = time * micro});
  }
  REQUIRE(launches.size() >= 2 * part_launches);
  return launches;
}

}  // namespace

TEST_CASE("launches of a virtual machine whose CPUs moved are parted, those of a server are not") {
  const auto moved = find_core_distances(launches_in("vm-two-states.txt"));
  REQUIRE(moved);
  CHECK(moved->far.seconds / moved->near.seconds > 2);
  CHECK_FALSE(find_core_distances(launches_in("xeon-one-state.txt")));
}

TEST_CASE("the cache line of a launch is that of its pair's probes") {
  Record record = machine_campaign(1, 1, far_from_six).front();
  record.machine.front().lines.push_back({.pair = {2, 3}, .seconds = 1});
  Point point = record.series.front().point;
  CHECK(cache_line_seconds(record, point).value_or(0) == Approx(43e-9).epsilon(0.2));
  record.machine.clear();
  CHECK_FALSE(cache_line_seconds(record, point));
  point.operation = "floor-cacheline";
  record.series.front().point = point;
  CHECK(cache_line_seconds(record, point).value_or(0) == Approx(105e-9).epsilon(0.2));
}

TEST_CASE("a comparison of near and far cores names them beside its verdict") {
  const std::vector<Record> a = machine_campaign(
      8, 1, [](std::size_t, std::size_t) { return PlantedMachine{}; }, "a");
  const std::vector<Record> b = machine_campaign(
      8, 2, [](std::size_t, std::size_t) { return PlantedMachine{.line = 4.5}; }, "b");
  const CompareSet set = compare(a, b);
  REQUIRE(set.cores);
  CHECK(set.cores->b_seconds / set.cores->a_seconds == Approx(4.5).epsilon(0.1));
  CHECK(set.comparisons.front().verdict == Verdict::slower);
  CHECK_FALSE(compare(a, a).cores);
  CHECK_FALSE(compare(a, machine_campaign(14, 3, far_from_six)).cores);
}

}  // namespace hockney::verdicts
