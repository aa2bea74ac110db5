#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/statistics.hpp"
#include "core/statistics_sorted.hpp"

namespace hockney {
namespace {

/// How many sums a_i + b_j are <= limit; both ascending. O(a + b) because the staircase only falls.
std::size_t count_sums(const std::vector<double>& a, const std::vector<double>& b, double limit) {
  std::size_t count = 0;
  std::size_t reach = b.size();
  for (const double value : a) {
    while (reach > 0 && value + b[reach - 1] > limit) --reach;
    count += reach;
  }
  return count;
}

/// A double's place among all doubles in ascending order, as an integer: neighbours differ by one.
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double at_place(std::int64_t place) {
  return std::bit_cast<double>(place >= 0 ? place
                                          : std::numeric_limits<std::int64_t>::min() - place);
}

/// The smallest double v in [low, high] with count(v) >= wanted, by bisection over the doubles
/// themselves: exact, in at most 64 counts, without ever storing the n^2 sums.
template <class Count>
double smallest_reaching(std::size_t wanted, double low, double high, Count count) {
  std::int64_t first = place_of(low);
  std::int64_t last = place_of(high);
  while (first < last) {
    const std::int64_t middle = std::midpoint(first, last);
    if (count(at_place(middle)) >= wanted) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return at_place(first);
}

/// Median of `total` numbers in [low, high] of which count(v) are <= v.
template <class Count>
double median_by_counting(std::size_t total, double low, double high, Count count) {
  const double lower = smallest_reaching((total + 1) / 2, low, high, count);
  if (total % 2 == 1) return lower;
  return std::midpoint(lower, smallest_reaching(total / 2 + 1, lower, high, count));
}

}  // namespace

std::optional<double> median_absolute_deviation(std::span<const double> samples) {
  const std::optional<double> centre = median(samples);
  if (!centre) return std::nullopt;
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) distances.push_back(std::abs(sample - *centre));
  return median(distances);
}

std::optional<double> hodges_lehmann(std::span<const double> samples) {
  if (samples.empty()) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(samples);
  const std::size_t n = sorted.size();
  // Sums of ordered pairs count i < j twice and i = j once.
  const auto count = [&](double limit) {
    const auto own = static_cast<std::size_t>(
        std::ranges::count_if(sorted, [&](double sample) { return sample + sample <= limit; }));
    return (count_sums(sorted, sorted, limit) + own) / 2;
  };
  const double low = sorted.front() + sorted.front();
  const double high = sorted.back() + sorted.back();
  return median_by_counting(n * (n + 1) / 2, low, high, count) / 2;
}

std::optional<double> hodges_lehmann_shift(std::span<const double> samples,
                                           std::span<const double> reference) {
  if (samples.empty() || reference.empty()) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(samples);
  std::vector<double> negated = sorted_finite(reference);
  std::ranges::reverse(negated);
  for (double& value : negated) value = -value;
  const auto count = [&](double limit) { return count_sums(sorted, negated, limit); };
  return median_by_counting(sorted.size() * negated.size(), sorted.front() + negated.front(),
                            sorted.back() + negated.back(), count);
}

}  // namespace hockney
