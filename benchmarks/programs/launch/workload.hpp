#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// The ranks that run an operation together, and how far apart they are if that is one distance.
struct GroupPlan {
  std::vector<int> ranks;
  std::optional<std::string> hop;  ///< the word for it
  Parameters parameters{};         ///< of its points, beside the operation's own
};

/// Groups without a rank in common: they can be formed, and may measure, at the same time.
using GroupRound = std::vector<GroupPlan>;

/// One block of the job: some groups of one round run one operation at one size.
struct Slot {
  const CatalogueEntry* operation = nullptr;
  std::size_t round = 0;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// A planned point, as the record says it (PlannedPoint), and how it is measured.
struct PlannedMeasurement {
  Point point;
  std::int64_t bytes_per_sample = 0;
  std::optional<double> bus_bytes_per_sample{};
  PointStatus status = PointStatus::measured;
  std::string reason;
  std::vector<std::vector<int>> thread_cpus{};
  std::size_t round = 0;
  std::size_t group = 0;  ///< index into its round
  CachePlan cache;
  bool threads_share_cpus = false;
};

/// Everything a launch is going to measure, the same on every rank.
struct LaunchPlan {
  std::vector<GroupRound> rounds;
  std::vector<PlannedMeasurement> points;
  std::vector<Slot> slots;
  std::vector<int> local_ranks;  ///< of every rank, by which it chooses a device; empty: all 0
};

/// As the record has them.
std::vector<PlannedPoint> recorded(const std::vector<PlannedMeasurement>& points);

/// Groups for every operation: pairs by the user's choice, rings and many pairs of all ranks,
/// collectives in the communicators asked for. Points that cannot be measured are in the list as
/// skipped, with the reason. InputError when there is one rank and an operation needs two, when no
/// pair is of a wanted hop class, and for a root that is no rank of the job.
LaunchPlan plan_workload(const LaunchOptions& options, const JobPlacement& job,
                         const FloorObstacles& floors = {}, const MemoryFacts& memories = {});

}  // namespace hockney::benchmarks::programs
