#include <algorithm>
#include <catch2/catch.hpp>

#include "placement/plan.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("compact takes cores in order and siblings after all cores") {
  CHECK(compact_order(machine("pack:2 core:2 pu:2")) == std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(compact_order(fixture("xeon-interleaved")) ==
        std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15});
}

TEST_CASE("scatter takes packages in turn, then what is inside") {
  CHECK(scatter_order(machine("pack:2 core:2 pu:2")) == std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(scatter_order(machine("pack:2 numa:2 l3:2 core:2 pu:1")) ==
        std::vector<int>{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15});
  CHECK(scatter_order(fixture("xeon-interleaved")) ==
        std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
}

TEST_CASE("parts that are unlike are dealt out too") {
  // L3 group first, then the cores without one; in the L3 its L2 caches in turn.
  CHECK(scatter_order(fixture("hybrid")) == std::vector<int>{0, 8, 2, 9, 4, 5, 6, 7, 1, 3});
}

TEST_CASE("every usable CPU is in an order once") {
  for (const Topology& topology : small_machines()) {
    for (std::vector<int> order : {compact_order(topology), scatter_order(topology)}) {
      std::ranges::sort(order);
      CHECK(order == usable_cpus(topology));
    }
  }
}

}  // namespace
TEST_CASE("one CPU of each NUMA node and of each L3") {
  const Topology topology = machine("pack:2 numa:2 l3:2 core:2 pu:2");
  CHECK(one_per_numa(topology) == std::vector<int>{0, 8, 16, 24});
  CHECK(one_per_l3(topology) == std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28});
  CHECK(one_per_l3(machine("pack:2 core:2 pu:1")).empty());
}

}  // namespace hockney::placement
