#include "models/pooled_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/statistics.hpp"

namespace hockney::models {
namespace {

/// Rows of a curve's medians.
using Cells = std::vector<std::span<const std::optional<double>>>;

/// The median over rows of column `place`, each row divided by its factor.
std::optional<double> column_median(const Cells& rows, const std::vector<double>& factors,
                                    std::size_t place) {
  std::vector<double> times;
  times.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::optional<double>& cell = rows[row][place];
    if (cell) times.push_back(*cell / factors[row]);
  }
  return median(times);
}

std::vector<std::optional<double>> column_medians(const Cells& rows,
                                                  const std::vector<double>& factors,
                                                  std::size_t columns) {
  std::vector<std::optional<double>> medians;
  for (std::size_t place = 0; place < columns; ++place) {
    medians.push_back(column_median(rows, factors, place));
  }
  return medians;
}

/// By how much each row stands above the medians, at its median size; scaled to median 1.
std::vector<double> row_factors(const Cells& rows,
                                const std::vector<std::optional<double>>& medians) {
  std::vector<double> factors;
  for (const auto& row : rows) {
    std::vector<double> ratios;
    for (std::size_t place = 0; place < row.size(); ++place) {
      const std::optional<double>& cell = row[place];
      const std::optional<double>& usual = medians[place];
      if (cell && usual) ratios.push_back(*cell / *usual);
    }
    factors.push_back(median(ratios).value_or(1));
  }
  const double centre = median(factors).value_or(1);
  for (double& factor : factors) factor /= centre;
  return factors;
}

PooledCurve assemble(const Curve& curve, const std::vector<std::optional<double>>& medians) {
  PooledCurve pooled;
  for (std::size_t place = 0; place < curve.sizes.size(); ++place) {
    const std::optional<double>& time = medians[place];
    if (!time) continue;
    pooled.points.push_back({static_cast<double>(curve.sizes[place].value), *time, *time});
    pooled.places.push_back(place);
  }
  return pooled;
}

Cells rows_of(const Curve& curve, std::span<const std::size_t> launches) {
  Cells rows;
  rows.reserve(launches.size());
  for (const std::size_t launch : launches) rows.push_back(curve.medians_seconds[launch]);
  return rows;
}

/// The median of sorted times of which one is left out, where it is there at all.
std::optional<double> median_without(std::span<const double> sorted, std::optional<double> one) {
  std::size_t left = sorted.size();
  std::size_t skipped = left;
  if (one) {
    skipped = static_cast<std::size_t>(std::ranges::lower_bound(sorted, *one) - sorted.begin());
    --left;
  }
  if (left == 0) return std::nullopt;
  const auto at = [&](std::size_t rank) { return sorted[rank < skipped ? rank : rank + 1]; };
  const std::size_t below = (left - 1) / 2;
  return left % 2 == 1 ? at(below) : std::lerp(at(below), at(below + 1), 0.5);
}

/// Median polish converges in a few passes; the second one changes little already.
constexpr int polishing_passes = 2;

}  // namespace

PooledCurve pool(const Curve& curve, std::span<const std::size_t> launches) {
  const std::vector<double> unlevelled(launches.size(), 1.0);
  return assemble(curve, column_medians(rows_of(curve, launches), unlevelled, curve.sizes.size()));
}

PooledCurve pool_levelled(const Curve& curve, std::span<const std::size_t> launches) {
  const Cells rows = rows_of(curve, launches);
  std::vector<double> factors(rows.size(), 1.0);
  for (int pass = 0; pass < polishing_passes; ++pass) {
    factors = row_factors(rows, column_medians(rows, factors, curve.sizes.size()));
  }
  return assemble(curve, column_medians(rows, factors, curve.sizes.size()));
}

PoolWithoutOne::PoolWithoutOne(const Curve& curve) : curve_(curve) {
  for (std::size_t place = 0; place < curve.sizes.size(); ++place) {
    std::vector<double>& column = columns_.emplace_back();
    for (const auto& row : curve.medians_seconds) {
      if (row[place]) column.push_back(*row[place]);
    }
    std::ranges::sort(column);
  }
}

PooledCurve PoolWithoutOne::pool(std::size_t launch) const {
  std::vector<std::optional<double>> medians;
  for (std::size_t place = 0; place < columns_.size(); ++place) {
    medians.push_back(median_without(columns_[place], curve_.medians_seconds[launch][place]));
  }
  return assemble(curve_, medians);
}

std::vector<std::size_t> all_launches(const Curve& curve) {
  std::vector<std::size_t> launches(curve.medians_seconds.size());
  std::iota(launches.begin(), launches.end(), std::size_t{0});
  return launches;
}

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

}  // namespace hockney::models
