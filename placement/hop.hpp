#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/topology.hpp"

namespace hockney {

/// The distance between two ranks, near to far. Inside a node it is the closest thing both CPUs
/// share: smt a core; l2 an L2 (or L1) cache; l3 an L3 cache; numa the same local memory in one
/// package; package the package only; cross_package nothing but the node.
enum class Hop { smt, l2, l3, numa, package, cross_package, cross_node };

/// Every class inside a node, near to far.
inline constexpr std::array node_hops{Hop::smt,  Hop::l2,      Hop::l3,
                                      Hop::numa, Hop::package, Hop::cross_package};

/// "smt", "l2", "l3", "numa", "package", "cross-package", "cross-node".
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

}  // namespace hockney
