#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney::verdicts {

/// Launches that may be held against each other.
struct LaunchGroup {
  std::string campaign;  ///< empty outside campaigns
  std::string setting;

  friend auto operator<=>(const LaunchGroup&, const LaunchGroup&) = default;
};

/// A point in one launch.
struct GuidelineTime {
  double seconds = 0;        ///< launch median (core/launch_medians.hpp)
  double clock_seconds = 0;  ///< what the clocks of this launch cannot see
};

/// A point over the launches of one group.
struct TimedPoint {
  LaunchGroup place;
  Point point;  ///< without path and algorithm, which are found, not asked for
  std::map<int, GuidelineTime> launches;  ///< by the number of the launch
  std::string reason;                     ///< why it was not measured, if the records say

  [[nodiscard]] bool is_measured() const { return !launches.empty(); }
};

struct GuidelineTimes {
  std::vector<TimedPoint> points;  ///< in order of groups, then as planned, then by bytes
};

/// Every planned point of the records that state guidelines, but those timed like other suites.
/// Launches without a number are numbered as they come. Only complete launches count.
GuidelineTimes guideline_times(std::span<const Record> records);

/// Every point of the imported records, numbered in the same way.
GuidelineTimes imported_times(std::span<const Record> records);

/// The resolution of a launch's clock and how far the clocks of its ranks may be apart [s].
double clock_floor(const Record& record);

/// Whether a point is one of a side: it is of its operation and has its parameters. A parameter
/// that a point lacks has its plain value: in-place no, counts equal, root first, and so on.
bool is_of(const Point& point, const GuidelineSide& side);

/// The parameters of a point that a side of a guideline does not name, without plain values.
std::map<std::string, std::string> other_parameters(const Point& point, const GuidelineSide& side);

}  // namespace hockney::verdicts
