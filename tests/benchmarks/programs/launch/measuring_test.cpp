#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/programs/launch/measuring.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// Two pairs at once at 0 B and at 8 B.
LaunchPlan two_pairs() {
  LaunchPlan plan;
  plan.rounds.push_back({{.ranks = {2, 3}}, {.ranks = {1, 0}}});
  for (const std::int64_t bytes : {0, 8}) {
    Slot& slot = plan.slots.emplace_back(Slot{.operation = &find_operation("pingpong")});
    for (std::size_t group = 0; group < 2; ++group) {
      slot.points.push_back(plan.points.size());
      PlannedMeasurement& planned = plan.points.emplace_back();
      planned.point = {.operation = "pingpong", .bytes = Bytes{bytes}, .ranks = 2};
      planned.group = group;
    }
  }
  return plan;
}

}  // namespace

TEST_CASE("sizes are left out so that the rest covers the range") {
  CHECK(size_order(0).empty());
  CHECK(size_order(1) == std::vector<std::size_t>{0});
  CHECK(size_order(5) == std::vector<std::size_t>{0, 4, 2, 1, 3});
  std::vector<std::size_t> all = size_order(46);
  CHECK(all[2] == 22);
  std::ranges::sort(all);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == i);
  CHECK(all.size() == 46);
}

TEST_CASE("a rank keeps its own point of a slot, and who measures the others") {
  const auto slots = own_slots(two_pairs(), 0);
  REQUIRE(slots.size() == 2);
  for (const OwnSlot& slot : slots) {
    CHECK(slot.leaders == std::vector<int>{2, 1});
    CHECK(slot.ranks_at_work == 4);
    CHECK(slot.is_at_work);
    CHECK(slot.own.group == 1);
    CHECK(slot.own.point.bytes == slot.bytes);
    CHECK(slot.own_point == slot.points[1]);
  }
  CHECK_FALSE(slots[0].has_deliveries);
  CHECK(slots[1].has_deliveries);
  CHECK(slots[1].points == std::vector<std::size_t>{2, 3});
}

TEST_CASE("a rank outside of all groups of a slot keeps none of its points") {
  for (const OwnSlot& slot : own_slots(two_pairs(), 4)) {
    CHECK_FALSE(slot.is_at_work);
    CHECK(slot.leaders.size() == 2);
  }
}

}  // namespace hockney::benchmarks::programs
