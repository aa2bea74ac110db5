#pragma once

#include <optional>
#include <span>
#include <string>

#include "benchmarks/harness/cache_state.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// How the buffers of a group rotate, the same on all its ranks. `at_work` are all groups that
/// measure at the same time, this one among them. Cold: each rank holds its share of twice its
/// last-level cache, and twice its inner cache at least; no bytes when a cache is not known.
CachePlan plan_cache(CacheState state, const JobPlacement& job, const GroupPlan& group,
                     std::span<const GroupPlan> at_work);

/// Why buffers cannot be brought into a cache state: a cache is not known, or all ranks together
/// would take more than `space`, or half of a node's free memory. nullopt when they can. `rounds`
/// are all groups that will want it, each round at the same time; what stands in the way of one
/// stands in the way of all, so that a slot has all its groups or none.
std::optional<std::string> cache_obstacle(CacheState state, const JobPlacement& job,
                                          std::span<const GroupRound> rounds,
                                          const std::optional<Bytes>& space = {});

}  // namespace hockney::benchmarks::programs
