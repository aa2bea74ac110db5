#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "placement/topology.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

Topology of(std::vector<Pu> pus) { return {std::move(pus), {}, true, "built by hand", ""}; }

TEST_CASE("groups are counted among usable PUs") {
  CHECK(count_groups(machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2")) ==
        TopologyCounts{.packages = 2, .numa_nodes = 4, .l3_caches = 8, .cores = 32, .pus = 64});
  CHECK(count_groups(fixture("no-cache")) ==
        TopologyCounts{.packages = 1, .numa_nodes = 1, .l3_caches = 0, .cores = 6, .pus = 6});
  CHECK(count_groups(fixture("cgroup")) ==
        TopologyCounts{.packages = 1, .numa_nodes = 2, .l3_caches = 2, .cores = 4, .pus = 4});
}

TEST_CASE("a PU is found by its number whether it may be used or not") {
  const Topology topology = fixture("cgroup");
  REQUIRE(find_pu(topology, 2) != nullptr);
  CHECK(find_pu(topology, 2)->core == 2);
  REQUIRE(find_pu(topology, 11) != nullptr);
  CHECK(find_pu(topology, 11)->package == 1);
  CHECK(find_pu(topology, 12) == nullptr);
  CHECK(find_pu(topology, -1) == nullptr);
}

TEST_CASE("restricting moves PUs and changes none") {
  const Topology whole = machine("pack:2 core:2 pu:2");
  const Topology part = restricted_to(whole, {6, 1, 0, 1});
  CHECK(usable_cpus(part) == std::vector<int>{0, 1, 6});
  CHECK(part.left_out.size() == 5);
  CHECK(*find_pu(part, 6) == *find_pu(whole, 6));
  CHECK(restricted_to(part, {0, 1, 2, 3, 4, 5, 6, 7}) == whole);
  CHECK_THROWS_AS(restricted_to(whole, {}), InputError);
  CHECK_THROWS_WITH(restricted_to(whole, {8}),
                    "no CPU 8 (topology 'synthetic pack:2 core:2 pu:2' has CPUs 0-7) name one of "
                    "them");
}

TEST_CASE("the digest is FNV-1a of the documented lines") {
  CHECK(topology_digest(of({{0, 0, {}, {}, {0}, 0}})) != topology_digest(of({})));
  CHECK(topology_digest(of({})) == "cbf29ce484222325");  // the hash of nothing: its offset basis
  // "0 0 - - 0 0\n"
  CHECK(topology_digest(of({{0, 0, {}, {}, {0}, 0}})) == "365e74487d024dcf");
  // "0 0 0 0 0,2 0\n1 0 0 0 0,2 0\n7 1 1 - - 1\n", whatever the order of the PUs
  CHECK(topology_digest(
            of({{7, 1, 1, {}, {}, 1}, {1, 0, 0, 0, {0, 2}, 0}, {0, 0, 0, 0, {0, 2}, 0}})) ==
        "f6998e564409c360");
}

TEST_CASE("the digest tells structures apart and ignores what a process may use") {
  CHECK(topology_digest(fixture("cgroup")) == topology_digest(fixture("snc2")));
  CHECK(topology_digest(machine("pack:2 numa:2 l3:1 core:3 pu:1")) ==
        topology_digest(fixture("snc2")));
  CHECK(topology_digest(machine("pack:2 core:2 pu:2")) !=
        topology_digest(machine("pack:2 core:4 pu:1")));
  CHECK(topology_digest(fixture("xeon-interleaved")) !=
        topology_digest(machine("pack:2 l3:1 core:4 pu:2")));
}

}  // namespace
}  // namespace hockney::placement
