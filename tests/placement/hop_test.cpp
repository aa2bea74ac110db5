#include "placement/hop.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("a hop is the closest thing two CPUs share") {
  // Per package 2 NUMA nodes of 2 L3 of 2 L2 of 2 cores of 2 PUs: 32 PUs.
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:2 core:2 pu:2");
  CHECK(hop_class(topology, 0, 1) == Hop::smt);
  CHECK(hop_class(topology, 0, 2) == Hop::l2);
  CHECK(hop_class(topology, 0, 4) == Hop::l3);
  CHECK(hop_class(topology, 0, 8) == Hop::numa);
  CHECK(hop_class(topology, 0, 16) == Hop::package);
  CHECK(hop_class(topology, 0, 32) == Hop::cross_package);
}

TEST_CASE("a hop has no direction and a CPU is no hop from itself") {
  for (const Topology& topology : small_machines()) {
    for (const Pu& a : topology.pus) {
      CHECK(hop_class(a, a) == std::nullopt);
      for (const Pu& b : topology.pus) CHECK(hop_class(a, b) == hop_class(b, a));
    }
  }
}

TEST_CASE("packages come before memory: one memory for the machine is no numa hop") {
  CHECK(hop_class(machine("pack:2 core:2 pu:1"), 0, 2) == Hop::cross_package);
}

TEST_CASE("a NUMA node of several packages is still a hop between packages") {
  const Topology topology = machine("numa:2 pack:2 core:1 pu:1");
  CHECK(hop_class(topology, 0, 1) == Hop::cross_package);
  CHECK(hop_class(topology, 0, 2) == Hop::cross_package);
}

TEST_CASE("numbers of the operating system say nothing about distance") {
  const Topology topology = fixture("xeon-interleaved");
  CHECK(hop_class(topology, 0, 1) == Hop::cross_package);
  CHECK(hop_class(topology, 0, 2) == Hop::l3);
  CHECK(hop_class(topology, 0, 8) == Hop::smt);
}

TEST_CASE("CPUs without a cache share none") {
  const Topology topology = fixture("hybrid");
  CHECK(hop_class(topology, 4, 7) == Hop::l2);
  CHECK(hop_class(topology, 0, 7) == Hop::l3);
  CHECK(hop_class(topology, 8, 9) == Hop::numa);
  CHECK(hop_class(topology, 0, 9) == Hop::numa);
}

TEST_CASE("cores of different kinds are a class of their own") {
  // 0-3: two performance cores; 4-7: two pairs of others that share an L2 each; 8, 9: two more of a
  // third kind that share an L2 outside the L3.
  const Topology topology = fixture("core-kinds");
  CHECK(find_pu(topology, 3)->kind == 0);
  CHECK(find_pu(topology, 4)->kind == 1);
  CHECK(find_pu(topology, 9)->kind == 2);
  CHECK(find_pu(fixture("hybrid"), 3)->kind == std::nullopt);
  struct Case {
    int a;
    int b;
    Hop hop;
  };
  for (const Case& tried : {Case{0, 1, Hop::smt}, Case{0, 2, Hop::l3}, Case{4, 5, Hop::l2},
                            Case{4, 6, Hop::l3_efficient}, Case{1, 4, Hop::kinds},
                            Case{7, 8, Hop::kinds}, Case{0, 9, Hop::kinds}, Case{8, 9, Hop::l2}}) {
    CAPTURE(tried.a, tried.b);
    CHECK(hop_class(topology, tried.a, tried.b) == tried.hop);
  }
  // 45 pairs: 6 of 0-3, 6 of 4-7, 1 of 8-9, and 4 x 4 + 4 x 2 + 4 x 2 between the kinds.
  const std::vector<HopCount> expected{
      {Hop::smt, 2}, {Hop::l2, 3}, {Hop::l3, 4}, {Hop::l3_efficient, 4}, {Hop::kinds, 32}};
  CHECK(count_pairs(topology) == expected);
}

TEST_CASE("hops are known of CPUs that may not be used, too") {
  CHECK(hop_class(fixture("cgroup"), 0, 2) == Hop::l3);
  CHECK(hop_class(fixture("cgroup"), 2, 6) == Hop::cross_package);
  CHECK_THROWS_AS(hop_class(fixture("cgroup"), 2, 12), InputError);
}

TEST_CASE("hop names are read back, and the nearest is suggested") {
  for (const char* name : {"smt", "l2", "l3", "l3-efficient", "kinds", "numa", "package",
                           "cross-package", "cross-node"}) {
    CHECK(hop_name(parse_hop(name)) == name);
  }
  CHECK(parse_hops("l3,smt") == std::vector<Hop>{Hop::l3, Hop::smt});
  CHECK_THROWS_WITH(parse_hop("crossnode"), Catch::Contains("did you mean 'cross-node'?"));
  for (const char* name : {"", "L3", "l3 ", "cross_package", "node"}) {
    CHECK_THROWS_AS(parse_hop(name), InputError);
  }
  CHECK_THROWS_AS(parse_hops("l3,"), InputError);
}

}  // namespace
}  // namespace hockney::placement
