#include "models/fit_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "models/segment_lines.hpp"

namespace hockney {
namespace {

double relative_error(const Line& line, double bytes, double seconds) {
  return std::abs(line.at(bytes) - seconds) / seconds;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> errors_in_sample(std::span<const TimedSize> points,
                                     const std::vector<std::size_t>& starts) {
  std::vector<double> errors;
  const std::vector<Line> lines = fit_segments(points, starts);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    for (const TimedSize& point : segment_points(points, starts, k)) {
      errors.push_back(relative_error(lines[k], point.bytes, point.seconds));
    }
  }
  return errors;
}

std::vector<double> errors_without_size(std::span<const TimedSize> points,
                                        const std::vector<std::size_t>& starts) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const auto segment = segment_points(points, starts, k);
    for (std::size_t held = 0; held < segment.size(); ++held) {
      std::vector<TimedSize> others(segment.begin(), segment.end());
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(held));
      if (const auto line = fit_line(others)) {
        errors.push_back(relative_error(*line, segment[held].bytes, segment[held].seconds));
      }
    }
  }
  return errors;
}

/// Appends the errors at one launch of the lines fitted to all others. `others` may lack sizes that
/// the held-out launch alone has, so its segments are found by the place of each size.
void append_errors_of_launch(std::vector<double>& errors, const Curve& curve, std::size_t launch,
                             const PooledCurve& others, const std::vector<std::size_t>& starts) {
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : curve.sizes.size();
    const auto first = std::ranges::lower_bound(others.places, starts[k]) - others.places.begin();
    const auto last = std::ranges::lower_bound(others.places, end) - others.places.begin();
    const auto line = fit_line(
        std::span(others.points)
            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)));
    for (std::size_t place = starts[k]; line && place < end; ++place) {
      const auto& cell = curve.medians_seconds[launch][place];
      const auto bytes = static_cast<double>(curve.sizes[place].value);
      if (cell) errors.push_back(relative_error(*line, bytes, *cell));
    }
  }
}

}  // namespace

FitErrors fit_errors(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts) {
  const std::vector<double> in_sample = errors_in_sample(pooled.points, starts);
  FitErrors errors{.mape = mean(in_sample).value_or(0), .maximum = std::ranges::max(in_sample)};
  errors.held_out = mean(errors_without_size(pooled.points, starts));
  if (curve.medians_seconds.size() < 2) return errors;
  std::vector<double> of_launches;
  const PoolWithoutOne without(curve);
  for (std::size_t launch = 0; launch < curve.medians_seconds.size(); ++launch) {
    append_errors_of_launch(of_launches, curve, launch, without.pool(launch), starts);
  }
  errors.held_out_launch = mean(of_launches);
  return errors;
}

}  // namespace hockney
