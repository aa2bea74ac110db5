#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/record.hpp"

namespace hockney::verdicts {

// Launches of one point may run on cores that are near or far from each other, which the cache line
// between them shows without MPI (docs/explanation/core-distances.md).

/// Half the round trip of a cache line between the ranks of a point in one launch [s]: median over
/// the machine probes of its pair, else of all pairs; without probes of the cache-line floors.
/// nullopt if neither was measured.
std::optional<double> cache_line_seconds(const Record& record, const Point& point);

/// One launch of a point.
struct LaunchOnCores {
  double line_seconds = 0;  ///< cache_line_seconds()
  double seconds = 0;       ///< of the point
};

/// Launches whose cores are equally far apart.
struct CoresPart {
  std::size_t launches = 0;
  double line_seconds = 0;  ///< median
  double seconds = 0;       ///< median of the point
};

struct CoreDistances {
  CoresPart near;
  CoresPart far;
};

inline constexpr double far_ratio = 1.5;         ///< least ratio of the cache lines
inline constexpr std::size_t part_launches = 6;  ///< fewest of each part

/// Splits the launches at the largest gap between cache lines that leaves part_launches on both
/// sides. nullopt unless the medians of the lines are far_ratio apart, no line is within a third of
/// that distance of the other part, and the median times differ by more than their intervals.
std::optional<CoreDistances> find_core_distances(std::span<const LaunchOnCores> launches);

/// Cache lines of two sides that are far_ratio apart [s].
struct DifferentCores {
  double a_seconds = 0;
  double b_seconds = 0;
};

/// Set if the sides' medians over launches are far_ratio apart and no launch of one side is as near
/// as any of the other. Launches without a cache line are ignored.
std::optional<DifferentCores> find_different_cores(std::span<const Record> a,
                                                   std::span<const Record> b);

}  // namespace hockney::verdicts
