#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/launch/workload.hpp"

namespace hockney {

/// "world", "node", "leaders", "hops", "half", "several".
const std::vector<std::string>& communicator_names();

/// InputError naming the nearest one when there is none called `name`.
void check_communicator(const std::string& name);

/// The one distance between any two of these ranks; nullopt when there are several.
std::optional<Hop> common_hop(const JobPlacement& job, const std::vector<int>& ranks);

/// The teams of a communicator, those of one round at work at the same time. world: all ranks;
/// node: the ranks of each node; leaders: the first rank of each node; hops: for each hop class,
/// nearest first, ranks that are no farther apart than it; half: the first half of the ranks;
/// several: both halves. Their points have the parameter "communicator", and "team" where there are
/// several. Empty where no team has two ranks, and where nothing is known of the hops.
std::vector<TeamRound> split_ranks(const std::string& communicator, const JobPlacement& job);

/// Why split_ranks is empty.
std::string split_obstacle(const std::string& communicator);

}  // namespace hockney
