#include "models/fit.hpp"

#include <algorithm>

#include "models/fit_errors.hpp"
#include "models/pooled_curve.hpp"
#include "models/segment_lines.hpp"

namespace hockney {
namespace {

/// The exact interval over launches, widened to hold the estimate: pooling first and fitting then
/// can lead just outside what fitting first gives, and a wider interval only covers more.
std::optional<Interval> interval_around(double estimate, const std::vector<double>& refits) {
  const std::optional<Interval> exact = quantile_interval(refits);
  if (!exact) return std::nullopt;
  return Interval{std::min(exact->low, estimate), std::max(exact->high, estimate), exact->level};
}

Segment make_segment(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts, std::size_t k) {
  const auto points = segment_points(pooled.points, starts, k);
  const Line line = fit_segments(pooled.points, starts)[k];
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
  Fit fit{.point = curve.point,
          .setting = curve.setting,
          .mpi_library = curve.mpi_library,
          .pairs = curve.pairs,
          .launches = launches,
          .sizes = curve.sizes.size(),
          .missing_cells = curve.missing_cells(),
          .errors = fit_errors(curve, pooled, found.starts),
          .noise_floor = found.noise_floor,
          .confirmed_by = found.confirmed_by,
          .breakpoints = in_bytes(curve, found.accepted),
          .rejected = in_bytes(curve, found.rejected)};
  for (std::size_t k = 0; k < found.starts.size(); ++k) {
    fit.segments.push_back(make_segment(curve, pooled, found.starts, k));
  }
  return fit;
}

}  // namespace hockney
