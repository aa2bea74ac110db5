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

/// The pairs of ranks that the options ask for. InputError when none is of a wanted hop class.
std::vector<RankPair> wanted_pairs(const LaunchOptions& options, const JobPlacement& job);

}  // namespace hockney
