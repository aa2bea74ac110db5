#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney::verdicts {

/// Launches that may be compared with each other.
struct LaunchGroup {
  std::string campaign;  ///< empty outside campaigns
  std::string setting;

  friend auto operator<=>(const LaunchGroup&, const LaunchGroup&) = default;
};

/// A point in one launch.
struct GuidelineTime {
  double seconds = 0;        ///< launch median (core/samples.hpp)
  double clock_seconds = 0;  ///< resolution and offset of this launch's clocks
};

/// A point over the launches of one group.
struct TimedPoint {
  LaunchGroup place;
  Point point;  ///< without path and algorithm, which are measured results
  std::map<int, GuidelineTime> launches;  ///< by the number of the launch
  std::string reason;  ///< if not measured: the reason from the records, or empty

  [[nodiscard]] bool is_measured() const { return !launches.empty(); }
};

struct GuidelineTimes {
  std::vector<TimedPoint> points;  ///< in order of groups, then as planned, then by bytes
};

/// Whether a point belongs to a side: same operation, and the side's parameters. A parameter that a
/// point lacks has its plain value: in-place no, counts equal, root first, and so on.
bool is_of(const Point& point, const GuidelineSide& side);

/// The parameters of a point that the side does not name, without plain values.
std::map<std::string, std::string> other_parameters(const Point& point, const GuidelineSide& side);

/// Both sides of a guideline in one launch. A guideline between numbers of ranks pairs two launches
/// with the same number.
struct SidePair {
  int launch = 0;            ///< its number
  double left_seconds = 0;   ///< launch median, > 0
  double right_seconds = 0;  ///< the same, without the factor
  /// Smallest difference that the clocks can show: resolution plus possible offset between ranks.
  double clock_seconds = 0;
};

/// A guideline at one size and place: one comparison to judge.
struct GuidelineCell {
  Guideline guideline;
  std::string campaign;  ///< empty outside campaigns
  std::string setting;
  Point left;
  Point right;
  double factor = 1;  ///< the guideline's factor, times k if the right side is done in k parts
  std::vector<SidePair> pairs;
};

/// A size and place at which a guideline could not be judged.
struct UnmeasuredCell {
  std::string guideline;
  Point left;
  std::string reason;
};

struct GuidelineCells {
  std::vector<GuidelineCell> cells;
  std::vector<UnmeasuredCell> unmeasured;
  std::size_t launches = 0;           ///< complete ones (count_launches)
  std::size_t nodes = 0;              ///< that measured themselves in them
  std::size_t launches_left_out = 0;  ///< interrupted or failed
};

/// Every cell of the guidelines that the records state, in order of guidelines and sizes. A left
/// and a right point match if ranks, hop, pair and all parameters outside the sides are equal.
/// Sides with the same size map come from the same launch. Points timed as other suites time them
/// are left out. InputError if no record states a guideline, or two guidelines of one name differ.
GuidelineCells guideline_cells(std::span<const Record> records);

}  // namespace hockney::verdicts
