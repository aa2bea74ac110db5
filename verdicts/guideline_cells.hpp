#pragma once

#include <cstddef>
#include <map>
#include <optional>
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
  double seconds = 0;        ///< launch median (core/samples.hpp)
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

/// The guidelines that imported records can be held against: their suites measure no mock-ups, so
/// that a right side is another call, or the sum of several calls' times.
std::vector<Guideline> imported_guidelines();

/// Adds the right sides that are sums, such as "reduce + bcast" of every size of allreduce at
/// which both were measured: in each launch the sum of their times. Where the calls of a sum need
/// other sizes (a block of each rank, or the blocks of all), these must have been measured.
void add_sums(GuidelineTimes& times);

/// Both sides of a guideline in one launch, or, between numbers of ranks, in two launches with one
/// number.
struct SidePair {
  int launch = 0;            ///< its number
  double left_seconds = 0;   ///< launch median, > 0
  double right_seconds = 0;  ///< the same, without the factor
  /// What a difference must exceed to be seen: the clock's resolution and how far the ranks' clocks
  /// may be apart.
  double clock_seconds = 0;
};

/// A guideline at one size and place: what is judged.
struct GuidelineCell {
  Guideline guideline;
  std::string campaign;  ///< empty outside campaigns
  std::string setting;
  Point left;
  Point right;
  double factor = 1;  ///< the guideline's, times k where the right side is done in k parts
  std::vector<SidePair> pairs;
};

/// A size and place where a guideline was to be judged, and cannot be.
struct UnmeasuredCell {
  std::string guideline;
  Point left;
  std::string reason;
};

struct GuidelineCells {
  std::vector<GuidelineCell> cells;
  std::vector<UnmeasuredCell> unmeasured;
  std::size_t launches = 0;           ///< complete ones
  std::size_t launches_left_out = 0;  ///< interrupted or failed
};

/// Every cell of the guidelines that the records state, in order of guidelines and sizes. Points
/// belong together when ranks, hop, pair and all parameters that no side names are the same; sides
/// of one size map come from the same launch. Points timed like other suites are left out.
/// InputError when no record states a guideline, or two state different ones of one name.
GuidelineCells guideline_cells(std::span<const Record> records);

}  // namespace hockney::verdicts
