#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "core/text.hpp"

namespace hockney::verdicts {

/// The launch median (core/samples.hpp) of one point.
struct LaunchTime {
  std::optional<CampaignPlace> place;
  std::size_t record = 0;  ///< which one of its side
  double seconds = 0;      ///< > 0
};

/// Why a side has no time of a point.
enum class Absence {
  not_planned,   ///< none of its launches has the point
  not_measured,  ///< planned, and skipped or failed in every launch
  no_time        ///< measured, without a launch median
};

constexpr auto words_of(std::type_identity<Absence>) {
  return std::to_array<std::string_view>({"not_planned", "not_measured", "no_time"});
}

/// What one side knows of a point.
struct SideTimes {
  std::vector<LaunchTime> launches;        ///< one for each launch with a time
  std::size_t pairs = 0;                   ///< distinct pairs whose median a launch's time is
  Absence absence = Absence::not_planned;  ///< why there are no launches, when there are none
  std::string detail;                      ///< the reason the records give, if they do
  std::optional<std::string> path;         ///< proven in all launches
};

/// A point with what both sides know of it.
struct MatchedPoint {
  Point point;  ///< its pair is empty when several were pooled
  SideTimes a;
  SideTimes b;
};

/// Every point that either side planned, by curve in order of appearance and by bytes. Points are
/// the same when operation, bytes, ranks, hop and parameters are; the path, which settings may
/// change, is that of both sides or none, and the algorithm, which they are made to change, is left
/// out. Where both sides have times of the same
/// pairs of a hop class, each pair is a point of its own; otherwise a launch counts with the median
/// over its pairs. Only complete launches count.
std::vector<MatchedPoint> match_points(std::span<const Record> a, std::span<const Record> b);

/// In what two points differ, with what each side says of it; empty where it says nothing.
struct Differing {
  std::string name;  ///< hop, ranks, bytes or a parameter
  std::string a;
  std::string b;

  friend auto operator<=>(const Differing&, const Differing&) = default;
};

/// Points of one side with the point of the other side that differs least from them.
struct PointDifference {
  std::vector<Differing> in;  ///< by name
  std::size_t points = 0;     ///< of A, which all differ so
};

/// Why points of the same operation on both sides are not the same, by what they differ in: the
/// fewest differences first, then the most points. Those of an operation that only one side has are
/// left out.
std::vector<PointDifference> point_differences(std::span<const Point> a, std::span<const Point> b);

}  // namespace hockney::verdicts
