#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/record.hpp"

namespace hockney::verdicts {

// Which launches of a campaign never had a free core (docs/explanation/busy-machines.md).

/// A launch that never had a free core at some points.
struct BusyLaunch {
  std::size_t record = 0;      ///< index
  std::size_t points = 0;      ///< number of points without an undisturbed block
  std::size_t all_points = 0;  ///< with noise probes
  double probe_seconds = 0;    ///< its shortest noise probe at these points, median
  double quiet_seconds = 0;    ///< that of the campaign
};

/// A launch whose shortest noise probe at a point is longer than that of the campaign by more than
/// this factor had no free core there. A busy sibling thread lengthens it by 1.5 to 2.
inline constexpr double busy_limit = 1.5;

/// Compares complete launches of one setting on the same hosts by the noise probes of each point.
/// If more than half of them had a free core, blocks of the others are disturbed.
std::vector<BusyLaunch> busy_launches(std::span<const Record> records);

/// The same; also sets the judgement of each series, by which its blocks count.
std::vector<BusyLaunch> judge_launches(std::span<Record* const> records);
std::vector<BusyLaunch> judge_launches(std::vector<Record>& records);

}  // namespace hockney::verdicts
