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

/// Where threads of a group run.
struct ThreadPlaces {
  std::vector<std::vector<int>> cpus;  ///< of each rank, thread 0 first; empty: not bound
  bool are_shared = false;             ///< two threads have one CPU
};

/// The CPUs of the threads of each of these ranks, when nobody else of the job is at work. Thread 0
/// stays where its rank is. The others get, rank after rank, the CPUs of the node's other ranks in
/// order of ranks, then those that no rank has. Where these do not do for all ranks, each rank's
/// threads share its CPUs in turn. No CPUs where ranks are not bound.
ThreadPlaces place_threads(const JobPlacement& job, const std::vector<int>& ranks, int threads);

/// The same with thread k of rank r where rank r + k is.
ThreadPlaces place_threads_as_ranks(const JobPlacement& job, const std::vector<int>& ranks,
                                    int threads);

/// Places the threads of a point whose group are these ranks.
void add_threads(const JobPlacement& job, const std::vector<int>& ranks, bool as_ranks,
                 PlannedMeasurement& planned);

/// Every so many-th rank of the job as it has threads, so that the cores of all ranks are used.
GroupRound spread_ranks(const JobPlacement& job, int threads);

/// Why these cannot run an operation of that shape: they are too few, or the threads of one would
/// be on two nodes. nullopt when they can.
std::optional<std::string> spread_obstacle(const JobPlacement& job, GroupShape shape, int threads);

/// InputError for so many threads that they would wait for their CPUs most of the time.
void check_threads(const LaunchPlan& plan, const JobPlacement& job);

/// Adds to the remarks of the job where threads will run.
void note_threads(const LaunchPlan& plan, JobPlacement& job);

}  // namespace hockney::benchmarks::programs
