#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

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
