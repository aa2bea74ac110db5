#include "core/ordered_sums.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/statistics.hpp"

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

}  // namespace

OrderedSums::OrderedSums(std::vector<double> a, std::vector<double> b, Pairs pairs)
    : a_(std::move(a)), b_(std::move(b)), pairs_(pairs) {
  size_ = pairs == Pairs::ordered ? a_.size() * (a_.size() + 1) / 2 : a_.size() * b_.size();
}

OrderedSums OrderedSums::within(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_finite(samples);
  return {sorted, sorted, Pairs::ordered};
}

OrderedSums OrderedSums::between(std::span<const double> samples,
                                 std::span<const double> reference) {
  std::vector<double> negated = sorted_finite(reference);
  std::ranges::reverse(negated);
  for (double& value : negated) value = -value;
  return {sorted_finite(samples), std::move(negated), Pairs::all};
}

std::size_t OrderedSums::count_up_to(double limit) const {
  const std::size_t sums = count_sums(a_, b_, limit);
  if (pairs_ == Pairs::all) return sums;
  // Sums of all pairs count i < j twice and i = j once.
  const auto own = static_cast<std::size_t>(
      std::ranges::count_if(a_, [&](double sample) { return sample + sample <= limit; }));
  return (sums + own) / 2;
}

double OrderedSums::at_rank(std::size_t rank) const {
  if (rank == 0 || rank > size_) throw std::logic_error("a sum of a rank that there is not");
  // The smallest double that so many sums do not exceed is one of them; at most 64 counts find it.
  std::int64_t first = place_of(a_.front() + b_.front());
  std::int64_t last = place_of(a_.back() + b_.back());
  while (first < last) {
    const std::int64_t middle = std::midpoint(first, last);
    if (count_up_to(at_place(middle)) >= rank) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return at_place(first);
}

std::optional<double> OrderedSums::median() const {
  if (size_ == 0) return std::nullopt;
  const double lower = at_rank((size_ + 1) / 2);
  return size_ % 2 == 1 ? lower : std::midpoint(lower, at_rank(size_ / 2 + 1));
}

}  // namespace hockney
