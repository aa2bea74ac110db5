#include "models/hockney.hpp"

#include <algorithm>
#include <limits>

namespace hockney::models {
namespace {

long double weight_of(const TimedSize& point) {
  const long double scale = point.scale_seconds;
  return 1 / (scale * scale);
}

}  // namespace

// Two variables need no active-set search. Times are positive, so the free minimum never has both
// parameters negative; and when one of them is, the minimum with that one held at zero leaves the
// other positive (a weighted mean of positive times or rates), so by convexity it is the
// constrained minimum.

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
  // A slope that all sizes together cannot tell from the rounding of the times is none.
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
  // The whole quadratic form, not its shortcut wtt - alpha wt - beta wnt: at the minimum the form
  // is stationary, so rounding in alpha and beta enters only in second order.
  const long double sum = to.wtt - from.wtt - 2 * (alpha * wt + beta * wnt) + alpha * alpha * w +
                          2 * alpha * beta * wn + beta * beta * wnn;
  return std::max(sum, 0.0L);
}

}  // namespace hockney::models
