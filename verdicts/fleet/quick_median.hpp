#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

namespace hockney {

/// Standard deviation of a normal distribution as a multiple of its median absolute deviation.
inline constexpr double deviations_per_mad = 1.482602218505602;

/// Median of at least one finite value in O(n), without a copy: reorders them. median() of core is
/// for what comes from users; this one is for inner loops.
inline double quick_median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace hockney
