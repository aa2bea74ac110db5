#pragma once

#include <optional>
#include <string>

#include "algorithms/schedule.hpp"

namespace hockney {

/// Half of the vector down each half of the binary tree, then an exchange of halves between each
/// rank and its like in the other half of the tree (Open MPI's split_binary_tree).
Schedule bcast_split_binary_tree(const Workload& workload);

/// Why the pipeline is run in its place: the vector has no two halves, or a half is not longer than
/// a segment.
std::optional<std::string> no_halves(const Workload& workload);

}  // namespace hockney
