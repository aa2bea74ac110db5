#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/obstacles.hpp"
#include "benchmarks/programs/launch/options.hpp"

namespace hockney {

/// The ranks that run an operation together, and how far apart they are if that is one distance.
struct TeamPlan {
  std::vector<int> ranks;
  std::optional<Hop> hop;
  std::map<std::string, std::string> parameters;  ///< of its points, beside the operation's own
};

/// Teams without a rank in common: they can be formed, and may measure, at the same time.
using TeamRound = std::vector<TeamPlan>;

/// One visit of the job: some teams of one round run one operation at one size.
struct Slot {
  const CatalogueEntry* operation = nullptr;
  std::size_t round = 0;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// Everything a launch is going to measure, the same on every rank.
struct LaunchPlan {
  std::vector<TeamRound> rounds;
  std::vector<PlannedPoint> points;
  std::vector<std::size_t> teams;            ///< of each point: index into its round
  std::vector<double> slow_downs;            ///< of each point: planted, 0 for none
  std::vector<std::optional<Suite>> suites;  ///< of each point: timed like it; nullopt: our own way
  std::vector<CachePlan> caches;             ///< of each point
  std::vector<Slot> slots;
};

/// Teams for every operation: pairs by the user's choice, rings and many pairs of all ranks,
/// collectives in the communicators asked for. Points that cannot be measured are in the list as
/// skipped, with the reason. InputError when there is one rank and an operation needs two, when no
/// pair is of a wanted hop class, and for a root that is no rank of the job.
LaunchPlan plan_workload(const LaunchOptions& options, const JobPlacement& job,
                         const FloorObstacles& floors = {});

}  // namespace hockney
