#include "models/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "models/pooled_curve.hpp"

namespace hockney::models {
namespace {

double relative_error(const Line& line, double bytes, double seconds) {
  return std::abs(line.at(bytes) - seconds) / seconds;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> errors_in_sample(std::span<const TimedSize> points,
                                     const std::vector<std::size_t>& starts,
                                     const std::vector<Line>& lines) {
  std::vector<double> errors;
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

/// The errors of the lines of the segments that start at `starts`; the segments themselves stay as
/// they are when a size or a launch is held out.
FitErrors fit_errors(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts, const std::vector<Line>& lines) {
  const std::vector<double> in_sample = errors_in_sample(pooled.points, starts, lines);
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

/// The exact interval over launches, widened to hold the estimate: pooling first and fitting then
/// can lead just outside what fitting first gives, and a wider interval only covers more.
std::optional<Interval> interval_around(double estimate, const std::vector<double>& refits) {
  const std::optional<Interval> exact = quantile_interval(refits);
  if (!exact) return std::nullopt;
  return Interval{std::min(exact->low, estimate), std::max(exact->high, estimate), exact->level};
}

Segment make_segment(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts, std::size_t k, const Line& line) {
  const auto points = segment_points(pooled.points, starts, k);
  std::vector<double> alphas;
  std::vector<double> betas;
  for (const Line& refit : launch_lines(curve, pooled, starts, k)) {
    alphas.push_back(refit.alpha_seconds);
    betas.push_back(refit.beta_seconds_per_byte);
  }
  return {.from = curve.sizes[starts[k]],
          .to = curve.sizes[starts[k] + points.size() - 1],
          .line = line,
          .alpha_seconds = interval_around(line.alpha_seconds, alphas),
          .beta_seconds_per_byte = interval_around(line.beta_seconds_per_byte, betas)};
}

std::vector<FittedBreakpoint> in_bytes(const Curve& curve, const std::vector<Breakpoint>& found) {
  std::vector<FittedBreakpoint> breakpoints;
  breakpoints.reserve(found.size());
  for (const Breakpoint& breakpoint : found) {
    breakpoints.push_back({.after = curve.sizes[breakpoint.place - 1],
                           .before = curve.sizes[breakpoint.place],
                           .recurrence = breakpoint.recurrence});
  }
  return breakpoints;
}

}  // namespace

std::string Fit::model() const { return segments.size() == 1 ? "hockney" : "piecewise-hockney"; }

std::variant<Fit, FitFailure> fit_curve(const Curve& curve, const FitOptions& options) {
  const std::size_t launches = curve.medians_seconds.size();
  if (curve.sizes.size() < sizes_per_fit) {
    return FitFailure{curve.point, curve.setting, launches, curve.sizes};
  }
  const Segments found = find_segments(curve, options.max_segments);
  const PooledCurve pooled = pool(curve, all_launches(curve));
  const std::vector<Line> lines = fit_segments(pooled.points, found.starts);
  Fit fit{.point = curve.point,
          .setting = curve.setting,
          .mpi_library = curve.mpi_library,
          .pairs = curve.pairs,
          .launches = launches,
          .sizes = curve.sizes.size(),
          .missing_cells = curve.missing_cells(),
          .errors = fit_errors(curve, pooled, found.starts, lines),
          .noise_floor = found.noise_floor,
          .confirmed_by = found.confirmed_by,
          .breakpoints = in_bytes(curve, found.accepted),
          .rejected = in_bytes(curve, found.rejected)};
  for (std::size_t k = 0; k < found.starts.size(); ++k) {
    fit.segments.push_back(make_segment(curve, pooled, found.starts, k, lines[k]));
  }
  return fit;
}

Prediction predict(const Fit& fit, Bytes size) {
  const auto bytes = static_cast<double>(size.value);
  // The first segment that does not end below the size.
  const auto segment = std::ranges::lower_bound(fit.segments, size, {}, &Segment::to);
  if (segment == fit.segments.end()) {
    return {fit.segments.back().line.at(bytes), Region::above_domain, std::nullopt};
  }
  if (size >= segment->from) return {segment->line.at(bytes), Region::inside, std::nullopt};
  if (segment == fit.segments.begin()) {
    return {segment->line.at(bytes), Region::below_domain, std::nullopt};
  }
  return {std::prev(segment)->line.at(bytes), Region::between_segments, segment->line.at(bytes)};
}

}  // namespace hockney::models
