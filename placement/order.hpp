#pragma once

#include <vector>

#include "placement/topology.hpp"

namespace hockney {

/// Usable CPUs, neighbours first: one per core in order, then the second PU of each core, and so
/// on.
std::vector<int> compact_order(const Topology& topology);

/// Usable CPUs dealt out like cards: consecutive ones in different packages, then in different NUMA
/// nodes, L3 and L2 caches, then cores; second PUs of cores come last.
std::vector<int> scatter_order(const Topology& topology);

}  // namespace hockney
