#pragma once

#include <optional>
#include <string>

#include "benchmarks/programs/launch/options.hpp"
#include "core/node_records.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// A launch in which every node of the job measures itself, all at the same time (--each-node).
struct EachNode {
  Record first;           ///< of the first node with figures; its file is written
  NodeTexts others{};     ///< their file is written too
  bool is_stuck = false;  ///< some nodes have not come: the job must be ended
};

/// run_launch on the ranks of each node. Nodes that cannot be measured, or do not end within
/// `patience` of rank 0's node, are named in others.missing; they cost the others nothing. Returns
/// the result on rank 0 and nullopt on others. InputError if no node has figures. Collective over
/// MPI_COMM_WORLD.
std::optional<EachNode> run_each_node(const std::string& procedure, const LaunchOptions& options);

/// "24 nodes measured themselves at the same time", and the nodes without figures.
std::string each_node_text(const NodeTexts& others);

}  // namespace hockney::benchmarks::programs
