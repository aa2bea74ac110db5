#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/obstacles.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// InputError for memory that makes no difference under the simulator this runs under.
void check_memories(const std::vector<MemorySides>& memories);

/// Which memory buffers on the node of a rank may not exceed: `space`, or half of what is free
/// there; nullopt where so many bytes do not, and where it is not known what is free. Simulated
/// ranks are all on one machine.
std::optional<std::string> excess_over(const JobPlacement& job, int rank, double bytes,
                                       const std::optional<Bytes>& space);

/// What the buffers of one rank take at a point [B], at most: with the pages that each has for
/// itself, the places among which they are drawn, and what the library keeps for each message of a
/// window.
double buffer_memory(const Descriptor& descriptor, const Point& point, const CachePlan& cache);

/// Why the buffers of a point cannot be had by every rank of a group (excess_over); nullopt when
/// they can, and where --window or --threads asks for them: check_memory() refuses those.
std::optional<std::string> memory_obstacle(const Descriptor& descriptor, const Point& point,
                                           CacheState state, const JobPlacement& job,
                                           const GroupPlan& group, const LaunchOptions& options);

/// InputError when all that the ranks of a node will hold is too much (excess_over): it names the
/// point that takes most and the option that makes it so. Ranks keep the memory of their largest
/// point.
void check_memory(const LaunchPlan& plan, const JobPlacement& job,
                  const std::optional<Bytes>& space);

/// Why ranks cannot share the memory that a point needs; nullopt when they can, or need not.
std::optional<std::string> sharing_obstacle(const Descriptor& descriptor, const Point& point,
                                            const JobPlacement& job, const GroupPlan& group,
                                            const FloorObstacles& floors);

/// Why the buffers of a point cannot be in the memory that it says: the operation looks at them
/// itself, or makes memory of its own; the memory and the cache state exclude each other; a rank of
/// the group has none, or MPI is not to be given it. nullopt when they can.
std::optional<std::string> kind_obstacle(const Descriptor& descriptor, const Point& point,
                                         CacheState state, const JobPlacement& job,
                                         const GroupPlan& group, const MemoryFacts& facts);

}  // namespace hockney::benchmarks::programs
