#include "placement/node_memory.hpp"

#include <catch2/catch.hpp>

namespace hockney::placement {

TEST_CASE("the near node is that of the CPU, the far one farthest up the tree") {
  const NodeMemory machine("pack:2 [numa] core:2 pu:2");
  CHECK(machine.nodes() == std::vector<int>{0, 1});
  CHECK(machine.near(0) == 0);
  CHECK(machine.far(0) == 1);
  CHECK(machine.near(7) == 1);
  CHECK(machine.far(7) == 0);
  CHECK_FALSE(machine.near(8));
  CHECK_FALSE(machine.far(8));
}

TEST_CASE("of several nodes in a package, one of the other package is far") {
  const NodeMemory machine("pack:2 group:2 [numa] core:2 pu:1");
  REQUIRE(machine.nodes().size() == 4);
  CHECK(machine.near(2) == 1);
  CHECK(machine.far(2) == 2);
  CHECK(machine.far(6) == 0);
}

TEST_CASE("a machine with one node has none that is far") {
  const NodeMemory machine("[numa] core:2 pu:1");
  CHECK(machine.near(1) == 0);
  CHECK_FALSE(machine.far(1));
  CHECK_FALSE(machine.bind(nullptr, 0, 1).empty());
}

}  // namespace hockney::placement
