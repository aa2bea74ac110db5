#pragma once

#include <cstddef>
#include <vector>

#include "placement/hop.hpp"
#include "placement/topology.hpp"

namespace hockney {

/// Two CPUs of one node by the numbers of the operating system; `first` < `second`.
struct CpuPair {
  int first = 0;
  int second = 0;

  friend bool operator==(const CpuPair&, const CpuPair&) = default;
};

CpuPair make_pair_of(int cpu_a, int cpu_b);

struct HopPair {
  Hop hop = Hop::smt;
  CpuPair cpus;

  friend bool operator==(const HopPair&, const HopPair&) = default;
};

struct HopCount {
  Hop hop = Hop::smt;
  std::size_t pairs = 0;

  friend bool operator==(const HopCount&, const HopCount&) = default;
};

/// All n(n-1)/2 pairs of usable CPUs with their class: the upper triangle of the pair matrix, row
/// by row, rows and columns in the order of `topology.pus`.
std::vector<HopPair> all_pairs(const Topology& topology);

/// How many pairs each class has, near to far; classes without a pair are not listed.
std::vector<HopCount> count_pairs(const Topology& topology);

/// One usable PU per core (the first), in order: pairs of these leave SMT siblings idle.
std::vector<Pu> first_of_each_core(const Topology& topology);

/// Up to `count` pairs of the class that have no core in common, evenly spread over the machine;
/// one PU per core except for smt. The core of CPU 0, which serves interrupts more often than
/// others, is used only when the pairs would not suffice without it. Deterministic; fewer pairs, or
/// none, when the machine has no more.
std::vector<CpuPair> spread_pairs(const Topology& topology, Hop hop, std::size_t count);

/// Whether the PU shares its core with CPU 0.
bool beside_cpu_zero(const Topology& topology, const Pu& pu);

}  // namespace hockney
