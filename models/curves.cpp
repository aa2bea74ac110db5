#include "models/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney::models {
namespace {

long double weight_of(const TimedSize& point) {
  const long double scale = point.scale_seconds;
  return 1 / (scale * scale);
}

/// A curve under way.
struct GrowingCurve {
  Curve curve;
  std::set<std::vector<int>> pairs;
  std::map<Bytes, PointLaunches> sizes;
};

/// What the series of one curve share.
Curve identity(const TimedSeries& timed, GroupBy group, Windows windows) {
  Curve curve{.point = timed.series->point,
              .setting = timed.setting(),
              .mpi_library = timed.record->provenance.mpi.library};
  curve.point.bytes = {};
  if (group == GroupBy::hop && curve.point.hop) curve.point.pair.clear();
  if (windows == Windows::apart) curve.point.automatic.clear();
  for (const std::string& automatic : curve.point.automatic) {
    curve.point.parameters.erase(automatic);
  }
  return curve;
}

/// Equal for the series of one curve and for them alone.
std::string key_of(const Curve& curve) {
  return curve_name(curve.point) + '\n' + curve.setting + '\n' + curve.mpi_library;
}

/// Curves in order of first appearance, found by key because a hop matrix has thousands of them.
class CurveCollector {
 public:
  GrowingCurve& at(Curve wanted) {
    const auto [place, added] = index_.try_emplace(key_of(wanted), all_.size());
    if (added) all_.push_back({.curve = std::move(wanted)});
    return all_[place->second];
  }

  [[nodiscard]] std::vector<GrowingCurve>& all() { return all_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<GrowingCurve> all_;
};

Curve assemble(GrowingCurve gathered) {
  Curve curve = std::move(gathered.curve);
  curve.pairs = gathered.pairs.size();
  if (curve.pairs == 1) curve.point.pair = *gathered.pairs.begin();
  std::map<std::size_t, std::vector<std::optional<double>>> rows;  // by launch
  for (const auto& [size, launches] : gathered.sizes) {
    for (const LaunchMedian& median : launches.medians()) {
      std::vector<std::optional<double>>& row = rows[median.launch];
      row.resize(gathered.sizes.size());
      row[curve.sizes.size()] = median.seconds;
    }
    curve.sizes.push_back(size);
  }
  for (auto& [launch, row] : rows) curve.medians_seconds.push_back(std::move(row));
  return curve;
}

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

/// Median ratio of each row to the medians, scaled so that the median of the rows is 1.
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

/// The median of sorted times without `one`, if they hold it.
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

// Two variables need no active-set search. Times are positive, so the free minimum never has two
// negative parameters. If one is negative, it is held at zero, and the other becomes a weighted
// mean of positive times or rates. By convexity that is the constrained minimum.

std::optional<Line> fit_line(std::span<const TimedSize> points) {
  if (points.empty()) return std::nullopt;
  long double weights = 0;
  long double mean_size = 0;
  long double mean_time = 0;
  for (const TimedSize& point : points) {
    const long double weight = weight_of(point);
    weights += weight;
    mean_size += weight * point.bytes;
    mean_time += weight * point.seconds;
  }
  mean_size /= weights;
  mean_time /= weights;
  long double spread = 0;      // sum w (n - mean n)^2
  long double covariance = 0;  // sum w (n - mean n)(t - mean t)
  for (const TimedSize& point : points) {
    const long double distance = point.bytes - mean_size;
    spread += weight_of(point) * distance * distance;
    covariance += weight_of(point) * distance * (point.seconds - mean_time);
  }
  if (spread <= 0) return std::nullopt;
  const long double beta = covariance / spread;
  const long double alpha = mean_time - beta * mean_size;
  // A slope below the rounding of the times at all sizes counts as zero.
  const double largest = std::ranges::max(points, {}, &TimedSize::bytes).bytes;
  const long double rounding = std::numeric_limits<double>::epsilon() * mean_time;
  if (beta * largest <= rounding) return Line{static_cast<double>(mean_time), 0};
  if (alpha < 0) {
    const long double rate =
        (covariance + weights * mean_size * mean_time) / (spread + weights * mean_size * mean_size);
    return Line{0, static_cast<double>(rate)};
  }
  return Line{static_cast<double>(alpha), static_cast<double>(beta)};
}

LineCosts::LineCosts(std::span<const TimedSize> points) : sums_(points.size() + 1) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long double n = points[i].bytes;
    const long double t = points[i].seconds;
    const long double w = weight_of(points[i]);
    const Sums& before = sums_[i];
    sums_[i + 1] = {before.w + w,      before.wn + w * n,      before.wnn + w * n * n,
                    before.wt + w * t, before.wnt + w * n * t, before.wtt + w * t * t};
  }
}

long double LineCosts::cost(std::size_t first, std::size_t last) const {
  const Sums& from = sums_[first];
  const Sums& to = sums_[last];
  const long double w = to.w - from.w;
  const long double wn = to.wn - from.wn;
  const long double wnn = to.wnn - from.wnn;
  const long double wt = to.wt - from.wt;
  const long double wnt = to.wnt - from.wnt;
  const long double determinant = w * wnn - wn * wn;
  long double alpha = (wnn * wt - wn * wnt) / determinant;
  long double beta = (w * wnt - wn * wt) / determinant;
  if (beta < 0) {
    beta = 0;
    alpha = wt / w;
  } else if (alpha < 0) {
    alpha = 0;
    beta = wnt / wnn;
  }
  // Uses the whole quadratic form, not the shortcut wtt - alpha wt - beta wnt. The form is
  // stationary at the minimum, so rounding in alpha and beta enters only in second order.
  const long double sum = to.wtt - from.wtt - 2 * (alpha * wt + beta * wnt) + alpha * alpha * w +
                          2 * alpha * beta * wn + beta * beta * wnn;
  return std::max(sum, 0.0L);
}

std::size_t Curve::missing_cells() const {
  std::size_t missing = 0;
  for (const auto& row : medians_seconds) {
    missing += static_cast<std::size_t>(std::ranges::count(row, std::optional<double>()));
  }
  return missing;
}

Curves collect_curves(std::span<const Record> records, GroupBy group, Windows windows) {
  const TimedRecords timed = timed_series(records);
  Curves result{.curves = {},
                .records_used = timed.records_used,
                .records_left_out = timed.records_left_out,
                .series_without_time = timed.series_without_time};
  CurveCollector gathering;
  for (const TimedSeries& one : timed.series) {
    const Point& point = one.series->point;
    GrowingCurve& gathered = gathering.at(identity(one, group, windows));
    keep_common_path(gathered.curve.point, point);
    gathered.pairs.insert(point.pair);
    gathered.sizes[point.bytes].add(one.launch, one.seconds);
  }
  for (GrowingCurve& gathered : gathering.all())
    result.curves.push_back(assemble(std::move(gathered)));
  return result;
}

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
