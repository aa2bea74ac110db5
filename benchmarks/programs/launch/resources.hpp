#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// InputError for kinds of memory that have no effect under the current simulator.
void check_memories(const std::vector<MemorySides>& memories);

/// Upper bound of the memory of one rank's buffers at a point [B]: with their separate pages, the
/// places among which they are drawn, and the library's memory for each message of a window.
double buffer_memory(const Descriptor& descriptor, const Point& point, const CachePlan& cache);

/// Why not every rank of a group can have the buffers of a point (excess_over); nullopt if all can.
/// Also nullopt if --window or --threads requests them: check_memory() refuses those.
std::optional<std::string> memory_obstacle(const Descriptor& descriptor, const Point& point,
                                           CacheState state, const JobPlacement& job,
                                           const GroupPlan& group, const LaunchOptions& options);

/// InputError if the memory of all ranks of a node is too large (excess_over): it names the largest
/// point and the option that causes it. Ranks keep the memory of their largest point.
void check_memory(const LaunchPlan& plan, const JobPlacement& job,
                  const std::optional<Bytes>& space);

/// Why ranks cannot share the memory that a point needs; nullopt if they can, or need not.
std::optional<std::string> sharing_obstacle(const Descriptor& descriptor, const Point& point,
                                            const JobPlacement& job, const GroupPlan& group,
                                            const FloorObstacles& floors);

/// Why the buffers of a point cannot be in its kind of memory. The operation itself reads them or
/// allocates others; the memory and the cache state exclude each other; a rank of the group has
/// none; or MPI must not be given it. nullopt if they can.
std::optional<std::string> kind_obstacle(const Descriptor& descriptor, const Point& point,
                                         CacheState state, const JobPlacement& job,
                                         const GroupPlan& group, const MemoryFacts& facts);

/// How the buffers of a group rotate, the same on all its ranks. `at_work` are all groups that
/// measure at the same time, including this one. Cold: each rank has its share of twice its
/// last-level cache, and at least twice its inner cache; 0 bytes if a cache is unknown.
CachePlan plan_cache(CacheState state, const JobPlacement& job, const GroupPlan& group,
                     std::span<const GroupPlan> at_work);

/// Why buffers cannot have a cache state: a cache is unknown, or all ranks together would exceed
/// `space`, or half of a node's free memory. nullopt if they can. `rounds` are all groups that need
/// the state. An obstacle for one holds for all, so that a slot has all its groups or none.
std::optional<std::string> cache_obstacle(CacheState state, const JobPlacement& job,
                                          std::span<const GroupRound> rounds,
                                          const std::optional<Bytes>& space = {});

/// The CPUs of the threads of a group.
struct ThreadPlaces {
  std::vector<std::vector<int>> cpus;  ///< of each rank, thread 0 first; empty: not bound
  bool are_shared = false;             ///< some threads have the same CPU
};

/// The CPUs of the threads of these ranks while no other rank of the job works. Thread 0 stays on
/// its rank's CPU. The other threads get, rank after rank, the CPUs of the node's other ranks in
/// order of ranks, then CPUs without a rank. If these are too few, each rank's threads share its
/// CPUs in turn. No CPUs if ranks are not bound.
ThreadPlaces place_threads(const JobPlacement& job, const std::vector<int>& ranks, int threads);

/// The same; thread k of rank r has the CPU of rank r + k.
ThreadPlaces place_threads_as_ranks(const JobPlacement& job, const std::vector<int>& ranks,
                                    int threads);

/// Places the threads of a point with these ranks.
void add_threads(const JobPlacement& job, const std::vector<int>& ranks, bool as_ranks,
                 PlannedMeasurement& planned);

/// Every `threads`-th rank of the job, so that the cores of all ranks are used.
GroupRound spread_ranks(const JobPlacement& job, int threads);

/// Why these ranks cannot run an operation of that shape: they are too few, or the threads of one
/// would be on two nodes. nullopt if they can.
std::optional<std::string> spread_obstacle(const JobPlacement& job, GroupShape shape, int threads);

/// InputError for so many threads that they would mostly wait for their CPUs.
void check_threads(const LaunchPlan& plan, const JobPlacement& job);

/// Adds a remark on the threads' CPUs to the job.
void note_threads(const LaunchPlan& plan, JobPlacement& job);

}  // namespace hockney::benchmarks::programs
