#include "placement/cover.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "placement/hop.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

const std::vector<Hop> all_hops(node_hops.begin(), node_hops.end());

std::set<Hop> shown(const Topology& topology, const std::vector<int>& cpus) {
  std::set<Hop> hops;
  for (const int a : cpus) {
    for (const int b : cpus) {
      if (const auto hop = hop_class(topology, a, b)) hops.insert(*hop);
    }
  }
  return hops;
}

/// The most classes that any `size` CPUs show, by trying them all.
std::size_t most_classes(const Topology& topology, int size) {
  std::size_t most = 0;
  for (unsigned chosen = 0; chosen < 1U << topology.pus.size(); ++chosen) {
    if (std::popcount(chosen) != size) continue;
    std::vector<int> cpus;
    for (std::size_t i = 0; i < topology.pus.size(); ++i) {
      if ((chosen >> i & 1U) != 0) cpus.push_back(topology.pus[i].os_cpu);
    }
    most = std::max(most, shown(topology, cpus).size());
  }
  return most;
}

TEST_CASE("one CPU more than there are classes shows them all") {
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(cover_hops(topology, all_hops, 64) == std::vector<int>{2, 4, 8, 16, 32, 3});
  CHECK(cover_hops(fixture("xeon-interleaved"), all_hops, 16) == std::vector<int>{2, 4, 1, 10});
  CHECK(cover_hops(fixture("hybrid"), all_hops, 10).size() == 5);
}

TEST_CASE("with few CPUs the near classes come first and smt last") {
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(cover_hops(topology, all_hops, 0).empty());
  CHECK(cover_hops(topology, all_hops, 1).empty());
  CHECK(cover_hops(topology, all_hops, 2) == std::vector<int>{2, 4});
  CHECK(cover_hops(topology, all_hops, 5) == std::vector<int>{2, 4, 8, 16, 32});
}

TEST_CASE("only wanted classes get CPUs") {
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(cover_hops(topology, {Hop::cross_package, Hop::smt}, 64) == std::vector<int>{2, 32, 3});
  CHECK(cover_hops(topology, {Hop::smt, Hop::smt}, 64) == std::vector<int>{2, 3});
  CHECK(cover_hops(topology, {}, 64).empty());
  CHECK(cover_hops(topology, {Hop::l2, Hop::cross_node}, 64).empty());
}

TEST_CASE("no other choice of CPUs shows more classes") {
  for (const Topology& topology : small_machines()) {
    INFO(topology.source);
    for (int size = 2; size <= std::min<int>(6, static_cast<int>(topology.pus.size())); ++size) {
      INFO(size << " CPUs");
      const auto cpus = cover_hops(topology, all_hops, static_cast<std::size_t>(size));
      CHECK(cpus.size() <= static_cast<std::size_t>(size));
      CHECK(shown(topology, cpus).size() == most_classes(topology, size));
    }
  }
}

TEST_CASE("siblings stay idle unless smt is wanted") {
  for (const Topology& topology : small_machines()) {
    std::set<int> cores;
    for (const int cpu : cover_hops(
             topology, {Hop::l2, Hop::l3, Hop::numa, Hop::package, Hop::cross_package}, 99)) {
      CHECK(cores.insert(find_pu(topology, cpu)->core).second);
    }
  }
}

}  // namespace
}  // namespace hockney::placement
