#include "models/segment_lines.hpp"

namespace hockney {

std::span<const TimedSize> segment_points(std::span<const TimedSize> points,
                                          const std::vector<std::size_t>& starts, std::size_t k) {
  const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : points.size();
  return points.subspan(starts[k], end - starts[k]);
}

std::vector<Line> fit_segments(std::span<const TimedSize> points,
                               const std::vector<std::size_t>& starts) {
  std::vector<Line> lines;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    // A segment has two distinct sizes, so it has a line.
    lines.push_back(fit_line(segment_points(points, starts, k)).value_or(Line{}));
  }
  return lines;
}

std::vector<Line> launch_lines(const Curve& curve, const PooledCurve& pooled,
                               const std::vector<std::size_t>& starts, std::size_t k) {
  std::vector<Line> lines;
  const auto wanted = segment_points(pooled.points, starts, k);
  for (const auto& row : curve.medians_seconds) {
    std::vector<TimedSize> points;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto& cell = row[starts[k] + i];
      if (cell) points.push_back({wanted[i].bytes, *cell, wanted[i].scale_seconds});
    }
    if (2 * points.size() < wanted.size()) continue;
    if (const auto line = fit_line(points)) lines.push_back(*line);
  }
  return lines;
}

}  // namespace hockney
