#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// The CPU of each thread of each of these ranks, thread 0 first, when nobody else of the job is at
/// work. Thread 0 stays where its rank is. The others get, rank after rank, the CPUs of the node's
/// other ranks in order of ranks, then those that no rank has. Where these do not do for all ranks,
/// each rank's threads share its CPUs in turn. Empty where ranks are not bound.
std::vector<std::vector<int>> thread_cpus(const JobPlacement& job, const std::vector<int>& ranks,
                                          int threads);

/// Whether threads that these CPUs are for have to share them.
bool share_cpus(const std::vector<std::vector<int>>& cpus);

/// Every so many-th rank of the job as it has threads, so that the cores of all ranks are used.
GroupRound spread_ranks(const JobPlacement& job, int threads);

/// Why these cannot run an operation of that shape; nullopt when they can.
std::optional<std::string> spread_obstacle(GroupShape shape, int ranks, int threads);

/// Adds to the remarks of the job where threads will run, and to its flags when they share CPUs.
void note_threads(const LaunchPlan& plan, JobPlacement& job);

}  // namespace hockney::benchmarks::programs
