#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/curves.hpp"
#include "models/hockney.hpp"

namespace hockney::models {

/// The median over some launches of a curve, size by size.
struct PooledCurve {
  std::vector<TimedSize> points;    ///< scale = the time itself
  std::vector<std::size_t> places;  ///< index of each point in the curve's sizes
};

/// The median over the named rows of the curve's matrix; sizes that none of them has are absent.
PooledCurve pool(const Curve& curve, std::span<const std::size_t> launches);

/// The same after each launch's own factor, the median over sizes of its ratio to the medians, is
/// divided out (Tukey's median polish; the factors' median is 1). What a launch does to all sizes
/// alike would otherwise roughen the curve, as the median of one size is another launch's than that
/// of the next. For finding breakpoints; the times themselves are better told by `pool`.
PooledCurve pool_levelled(const Curve& curve, std::span<const std::size_t> launches);

/// `pool` of all launches but one, for each of them: each size is sorted once, so that thousands of
/// launches cost no more than their number. The curve must outlive it.
class PoolWithoutOne {
 public:
  explicit PoolWithoutOne(const Curve& curve);
  [[nodiscard]] PooledCurve pool(std::size_t launch) const;

 private:
  const Curve& curve_;
  std::vector<std::vector<double>> columns_;  ///< of each size, sorted
};

/// 0, 1, ... of the curve's launches.
std::vector<std::size_t> all_launches(const Curve& curve);

/// The points of segment k when the segments of a pooled curve start at `starts`.
std::span<const TimedSize> segment_points(std::span<const TimedSize> points,
                                          const std::vector<std::size_t>& starts, std::size_t k);

/// One line per segment, each fitted to its points alone. Segments have at least two sizes.
std::vector<Line> fit_segments(std::span<const TimedSize> points,
                               const std::vector<std::size_t>& starts);

/// The lines that single launches give for segment k, with the pooled curve's times as scale; a
/// launch that lacks more than half of the segment's sizes, or all but one, gives none.
std::vector<Line> launch_lines(const Curve& curve, const PooledCurve& pooled,
                               const std::vector<std::size_t>& starts, std::size_t k);

}  // namespace hockney::models
