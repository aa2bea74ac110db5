#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/topology.hpp"

namespace hockney::placement {

/// The distance between two ranks, near to far. Inside a node it is the closest thing both CPUs
/// share: smt a core; l2 an L2 (or L1) cache; l3 an L3 cache; numa the same local memory in one
/// package; package the package only; cross_package nothing but the node. On processors with
/// several kinds of cores, performance cores and others, l3 is of two performance cores,
/// l3_efficient of two others of one kind, and kinds of two cores of different kinds in one
/// package.
enum class Hop { smt, l2, l3, l3_efficient, kinds, numa, package, cross_package, cross_node };

/// Every class inside a node, near to far.
inline constexpr std::array node_hops{Hop::smt,   Hop::l2,   Hop::l3,      Hop::l3_efficient,
                                      Hop::kinds, Hop::numa, Hop::package, Hop::cross_package};

/// "smt", "l2", "l3", "l3-efficient", "kinds", "numa", "package", "cross-package", "cross-node".
std::string hop_name(Hop hop);

/// The reverse of hop_name; InputError naming the nearest class.
Hop parse_hop(std::string_view name);

/// "smt,l3" to two classes, in the order written; InputError as parse_hop.
std::vector<Hop> parse_hops(std::string_view names);

/// The class of two PUs of one node, symmetric; nullopt for a PU and itself, which are no distance
/// apart.
std::optional<Hop> hop_class(const Pu& a, const Pu& b);

/// The class of two CPUs of one node, usable or left out; nullopt when they are the same.
/// InputError when the node has no such CPU.
std::optional<Hop> hop_class(const Topology& topology, int cpu_a, int cpu_b);

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

}  // namespace hockney::placement
