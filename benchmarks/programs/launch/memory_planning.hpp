#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// InputError under a simulator, whose messages take the same time from whatever memory.
void check_memories(const std::vector<MemorySides>& memories);

/// Why the buffers of a point cannot be in the memory that it says: the operation looks at them
/// itself, or makes memory of its own; the memory and the cache state exclude each other; a rank of
/// the group has none, or MPI is not to be given it. nullopt when they can.
std::optional<std::string> kind_obstacle(const Descriptor& descriptor, const Point& point,
                                         CacheState state, const JobPlacement& job,
                                         const GroupPlan& group, const MemoryFacts& facts);

}  // namespace hockney::benchmarks::programs
