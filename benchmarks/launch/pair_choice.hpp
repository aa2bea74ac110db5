#pragma once

#include <optional>
#include <vector>

#include "benchmarks/harness/placement.hpp"
#include "benchmarks/launch/options.hpp"

namespace hockney {

/// How far apart the ranks of a pair are; nullopt when nothing is known of them.
std::optional<Hop> hop_of(const JobPlacement& job, const RankPair& pair);

/// InputError when the job has fewer, which `operation` needs.
void require_two_ranks(const JobPlacement& job, const std::string& operation);

/// The pairs of ranks that the options ask for, all or representatives. InputError when none is of
/// a wanted hop class.
std::vector<RankPair> wanted_pairs(const LaunchOptions& options, const JobPlacement& job);

/// What may be measured at the same time: the tournament of the wanted or listed pairs, or a sparse
/// one of the first ranks of all nodes, of all ranks where there is but one node; with all its
/// rounds where there are no more. Errors as wanted_pairs, tournament and sparse_tournament.
std::vector<Round> wanted_rounds(const LaunchOptions& options, const JobPlacement& job);

}  // namespace hockney
