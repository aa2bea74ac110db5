#include "models/noise_floor.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::models {
namespace {

/// Makes the median magnitude of normal numbers their standard deviation.
constexpr double normal_consistency = 1.4826;

/// Each launch is compared with this many after it; more would only repeat them.
constexpr std::size_t partners = 8;

using Row = std::vector<std::optional<double>>;

/// ln of the ratio of two launches at one size.
std::optional<double> log_ratio(const Row& a, const Row& b, std::size_t place) {
  const std::optional<double>& of_a = a[place];
  const std::optional<double>& of_b = b[place];
  if (!of_a || !of_b) return std::nullopt;
  return std::log(*of_a / *of_b);
}

void append_steps(std::vector<double>& steps, const Row& a, const Row& b) {
  for (std::size_t place = 1; place < a.size(); ++place) {
    const auto before = log_ratio(a, b, place - 1);
    const auto here = log_ratio(a, b, place);
    if (before && here) steps.push_back(std::abs(*here - *before));
  }
}

/// Standard deviation of the median of n normal numbers in units of theirs: exact for n <= 2, where
/// the median is the mean, and from above otherwise.
double median_shrink(std::size_t n) {
  const auto count = static_cast<double>(n);
  return std::sqrt((n <= 2 ? 1 : std::numbers::pi / 2) / count);
}

}  // namespace

std::optional<double> cell_noise(const Curve& curve) {
  const auto& rows = curve.medians_seconds;
  std::vector<double> steps;
  for (std::size_t launch = 0; launch < rows.size(); ++launch) {
    const std::size_t last = std::min(rows.size(), launch + 1 + partners);
    for (std::size_t other = launch + 1; other < last; ++other) {
      append_steps(steps, rows[launch], rows[other]);
    }
  }
  const std::optional<double> magnitude = median(steps);
  if (!magnitude) return std::nullopt;
  return normal_consistency * *magnitude / 2;
}

std::optional<double> size_scatter(std::span<const TimedSize> points) {
  std::vector<double> residuals;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const TimedSize& low = points[i - 1];
    const TimedSize& high = points[i + 1];
    const double share = (points[i].bytes - low.bytes) / (high.bytes - low.bytes);
    const double from_low = (1 - share) * low.seconds;
    const double from_high = share * high.seconds;
    const double unit = std::hypot(from_low, from_high, points[i].seconds);
    residuals.push_back(std::abs(from_low + from_high - points[i].seconds) / unit);
  }
  const std::optional<double> magnitude = median(residuals);
  if (!magnitude) return std::nullopt;
  return normal_consistency * *magnitude;
}

double noise_floor(std::optional<double> cell, std::size_t launches,
                   std::span<const TimedSize> pooled) {
  const double between = cell.value_or(0) * median_shrink(launches);
  return std::max({between, size_scatter(pooled).value_or(0), least_noise_floor});
}

}  // namespace hockney::models
