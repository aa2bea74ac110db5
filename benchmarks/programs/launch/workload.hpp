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

/// The ranks that run an operation together, and their distance if there is only one.
struct GroupPlan {
  std::vector<int> ranks;
  std::optional<std::string> hop;                 ///< class of the distance
  Parameters parameters{};                        ///< of its points, in addition to the operation's
  std::optional<placement::DeviceHop> devices{};  ///< of a pair whose ranks have devices
  bool for_devices = false;                       ///< has only points with buffers on both devices
};

/// Groups without common ranks: they can be formed, and can measure, at the same time.
using GroupRound = std::vector<GroupPlan>;

/// One block of the job: some groups of one round run one operation at one size.
struct Slot {
  const CatalogueEntry* operation = nullptr;
  std::size_t round = 0;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// A planned point, as in the record (PlannedPoint), with the data for measuring it.
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

/// The measurements of a launch, the same on every rank.
struct LaunchPlan {
  std::vector<GroupRound> rounds;
  std::vector<PlannedMeasurement> points;
  std::vector<Slot> slots;
  std::vector<int> local_ranks;  ///< of every rank; they select devices; empty: all 0
};

/// The points for the record.
std::vector<PlannedPoint> recorded(const std::vector<PlannedMeasurement>& points);

/// Groups for every operation: pairs by the user's choice, rings and many pairs of all ranks,
/// collectives in the requested communicators. Points that cannot be measured are in the list as
/// skipped, with the reason. InputError if an operation needs two ranks and there is one, if no
/// pair has a wanted hop class, and for a root that is no rank of the job.
LaunchPlan plan_workload(const LaunchOptions& options, const JobPlacement& job,
                         const FloorObstacles& floors = {}, const MemoryFacts& memories = {});

}  // namespace hockney::benchmarks::programs
