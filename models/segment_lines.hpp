#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/hockney.hpp"
#include "models/pooled_curve.hpp"

namespace hockney {

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

}  // namespace hockney
