#pragma once

#include <cstddef>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/programs/launch/workload.hpp"

namespace hockney::benchmarks::programs {

/// What one rank has to know of a slot: its own part, and how many others there are. On thousands
/// of nodes the plan of a launch is most of a rank's memory, and none of it but this is needed.
struct OwnSlot {
  const CatalogueEntry* operation = nullptr;
  std::size_t round = 0;
  std::vector<std::size_t> points;  ///< of all groups, as in the launch's plan
  std::vector<int> leaders;         ///< of the group of each point: who has its block
  int ranks_at_work = 0;            ///< of all groups
  Bytes bytes{};                    ///< at all points
  bool has_deliveries = false;      ///< data arrive that can be looked at
  bool is_at_work = false;          ///< a group of this rank measures `own`; else it waits
  PlannedMeasurement own;
  std::size_t own_point = 0;  ///< index of `own` in the launch's plan
};

/// The slots of a launch in the order of its plan, as `rank` needs them.
std::vector<OwnSlot> own_slots(const LaunchPlan& workload, int rank);

}  // namespace hockney::benchmarks::programs
