#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "placement/rank_pairs.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

std::map<std::string, std::size_t> counts(const Topology& topology) {
  std::map<std::string, std::size_t> named;
  for (const HopCount& count : count_pairs(topology)) named[hop_name(count.hop)] = count.pairs;
  return named;
}

using Counts = std::map<std::string, std::size_t>;

TEST_CASE("pairs of each class are counted") {
  // 32 cores of 2 PUs. L3: 8 of 8 PUs, 28 pairs each without 4 of a core; NUMA: 4 of 16 PUs, 8*8
  // pairs over its two L3; package: 2 with 16*16 over its two nodes; 32*32 over the packages.
  CHECK(counts(machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2")) ==
        Counts{{"smt", 32}, {"l3", 192}, {"numa", 256}, {"package", 512}, {"cross-package", 1024}});
  // Each NUMA node is one L3 of 8 PUs, so nothing is left for numa.
  CHECK(counts(machine("pack:2 numa:2 l3:1 core:4 pu:2")) ==
        Counts{{"smt", 16}, {"l3", 96}, {"package", 128}, {"cross-package", 256}});
  // Two packages of eight L3 of eight cores: 16 * C(8,2) in an L3.
  CHECK(counts(machine("pack:2 numa:1 l3:8 core:8 pu:1")) ==
        Counts{{"l3", 448}, {"numa", 3584}, {"cross-package", 4096}});
  CHECK(counts(machine("pack:1 core:6 pu:1")) == Counts{{"numa", 15}});
  CHECK(counts(machine("pu:1")).empty());
}

TEST_CASE("pairs of machines in files are counted") {
  CHECK(counts(fixture("xeon-interleaved")) ==
        Counts{{"smt", 8}, {"l3", 48}, {"cross-package", 64}});
  CHECK(counts(fixture("hybrid")) == Counts{{"smt", 2}, {"l2", 6}, {"l3", 20}, {"numa", 17}});
  CHECK(counts(fixture("snc2")) == Counts{{"l3", 12}, {"package", 18}, {"cross-package", 36}});
  CHECK(counts(fixture("tiered-memory")) == Counts{{"numa", 6}, {"cross-package", 9}});
  CHECK(counts(fixture("cgroup")) == Counts{{"l3", 3}, {"package", 3}});
  CHECK(counts(fixture("virtual-machine")) == Counts{{"l3", 1}});
}

TEST_CASE("all pairs are the upper triangle of the matrix, and agree with the counts") {
  CHECK(all_pairs(machine("pack:1 core:2 pu:1")) == std::vector<HopPair>{{Hop::numa, {0, 1}}});
  for (const Topology& topology : small_machines()) {
    std::map<std::string, std::size_t> counted;
    std::set<std::pair<int, int>> seen;
    for (const HopPair& pair : all_pairs(topology)) {
      ++counted[hop_name(pair.hop)];
      CHECK(pair.cpus.first < pair.cpus.second);
      CHECK(seen.emplace(pair.cpus.first, pair.cpus.second).second);
    }
    CHECK(counted == counts(topology));
    CHECK(seen.size() == topology.pus.size() * (topology.pus.size() - 1) / 2);
  }
}

TEST_CASE("spread pairs lie far apart, beside no sibling and away from CPU 0") {
  const Topology topology = machine("pack:2 l3:2 core:4 pu:2");
  CHECK(spread_pairs(topology, Hop::l3, 1) == std::vector<CpuPair>{{2, 4}});
  CHECK(spread_pairs(topology, Hop::l3, 2) == std::vector<CpuPair>{{2, 4}, {16, 18}});
  CHECK(spread_pairs(topology, Hop::smt, 2) == std::vector<CpuPair>{{2, 3}, {16, 17}});
  CHECK(spread_pairs(topology, Hop::cross_package, 1) == std::vector<CpuPair>{{2, 16}});
}

TEST_CASE("the core of CPU 0 serves when there is no choice") {
  const Topology topology = machine("pack:2 l3:2 core:4 pu:2");
  CHECK(spread_pairs(topology, Hop::l3, 8) ==
        std::vector<CpuPair>{
            {0, 2}, {4, 6}, {8, 10}, {12, 14}, {16, 18}, {20, 22}, {24, 26}, {28, 30}});
  CHECK(spread_pairs(machine("pack:1 core:2 pu:1"), Hop::numa, 1) == std::vector<CpuPair>{{0, 1}});
}

TEST_CASE("spread pairs have no core in common and are of the class") {
  for (const Topology& topology : small_machines()) {
    for (const Hop hop : node_hops) {
      std::set<int> cores;
      for (const CpuPair& pair : spread_pairs(topology, hop, 100)) {
        CHECK(hop_class(topology, pair.first, pair.second) == hop);
        CHECK(cores.insert(find_pu(topology, pair.first)->core).second);
        if (hop != Hop::smt) CHECK(cores.insert(find_pu(topology, pair.second)->core).second);
      }
    }
  }
}

TEST_CASE("no pairs where there are none") {
  CHECK(spread_pairs(fixture("single-pu"), Hop::numa, 3).empty());
  CHECK(spread_pairs(fixture("no-cache"), Hop::l3, 1).empty());
  CHECK(spread_pairs(fixture("no-cache"), Hop::numa, 0).empty());
  CHECK(spread_pairs(fixture("no-cache"), Hop::cross_node, 1).empty());
}

}  // namespace
}  // namespace hockney::placement
