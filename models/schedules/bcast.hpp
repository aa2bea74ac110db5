#pragma once

#include <optional>
#include <string>

#include "models/schedules/schedule.hpp"

namespace hockney::schedules {

/// A binomial scatter, then an allgather by recursive doubling or in a ring.
Schedule bcast_scatter_allgather(const Workload& workload);
Schedule bcast_scatter_ring(const Workload& workload);

/// Half of the vector down each half of the binary tree, then an exchange of halves between each
/// rank and its like in the other half of the tree (Open MPI's split_binary_tree).
Schedule bcast_split_binary_tree(const Workload& workload);

/// Why the pipeline is run in its place: the vector has no two halves, or a half is not longer than
/// a segment.
std::optional<std::string> no_halves(const Workload& workload);

}  // namespace hockney::schedules
