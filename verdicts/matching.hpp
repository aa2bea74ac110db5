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

/// The time of one point in one launch: its median (core/samples.hpp), or its mean if means are
/// compared.
struct LaunchTime {
  std::optional<CampaignPlace> place;
  std::size_t record = 0;  ///< index of the record on its side
  double seconds = 0;      ///< > 0
};

/// Reason why a side has no time of a point.
enum class Absence {
  not_planned,   ///< no launch has the point
  not_measured,  ///< planned, but skipped or failed in every launch
  no_time        ///< measured, but without a launch median
};

constexpr auto words_of(std::type_identity<Absence>) {
  return std::to_array<std::string_view>({"not_planned", "not_measured", "no_time"});
}

/// The times of one side at a point.
struct SideTimes {
  std::vector<LaunchTime> launches;        ///< one for each launch with a time
  std::size_t pairs = 0;                   ///< number of distinct pairs in each launch's median
  Absence absence = Absence::not_planned;  ///< reason, if there are no launches
  std::string detail;                      ///< reason from the records; may be empty
  std::optional<std::string> path;         ///< as verified in all launches
};

/// A point with the times of both sides.
struct MatchedPoint {
  Point point;  ///< its pair is empty if several were pooled
  SideTimes a;
  SideTimes b;
};

/// Whether the sides are compared by means of all samples, disturbed ones too: one of them was
/// imported, and other suites print means.
bool compares_means(std::span<const Record> a, std::span<const Record> b);

/// Every point that either side planned, by curve in order of appearance and by bytes. Points match
/// if operation, bytes, ranks, hop and parameters are equal. The path is set only if both sides
/// agree on it, since settings may change it. The algorithm is left out, since settings are meant
/// to change it. If both sides have times of the same pairs of a hop class, each pair is a separate
/// point. Otherwise a launch counts with the median over its pairs. Only complete launches count.
std::vector<MatchedPoint> match_points(std::span<const Record> a, std::span<const Record> b);

/// One difference between two points, with both values; a missing value is empty.
struct Differing {
  std::string name;  ///< hop, ranks, bytes or a parameter
  std::string a;
  std::string b;

  friend auto operator<=>(const Differing&, const Differing&) = default;
};

/// Points of A with the same differences from their nearest points of B.
struct PointDifference {
  std::vector<Differing> in;  ///< by name
  std::size_t points = 0;     ///< number of points of A with these differences
};

/// Explains why points of one operation differ between the sides. Entries with the fewest
/// differences come first, then those with the most points. Operations on one side only are left
/// out.
std::vector<PointDifference> point_differences(std::span<const Point> a, std::span<const Point> b);

}  // namespace hockney::verdicts
