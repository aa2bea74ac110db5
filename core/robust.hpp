#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace hockney {

/// Standard deviation of a normal distribution as a multiple of its median absolute deviation.
inline constexpr double deviations_per_mad = 1.482602218505602;

/// Median of at least one finite value in O(n), without a copy: reorders them. median() of
/// core/statistics.hpp is for what comes from users; this one is for inner loops.
inline double quick_median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

/// Robust standard deviation of values about 0, of which there must be some: 1.4826 times the
/// median of their sizes.
inline double robust_deviation(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return deviations_per_mad * quick_median(values);
}

/// What a MAD of n values is to be multiplied by, so that it is not too small (Croux and Rousseeuw
/// 1992).
inline double small_sample_factor(std::size_t n) {
  return static_cast<double>(n) / (static_cast<double>(n) - 0.8);
}

}  // namespace hockney
