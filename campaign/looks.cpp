#include "campaign/looks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hockney {
namespace {

std::vector<int> moments(int most) {
  constexpr double growth = 1.4;
  std::vector<int> launches;
  for (const int count : {8, 10, 14, 20, 30}) {
    if (count < most) launches.push_back(count);
  }
  while (!launches.empty() && launches.back() >= 30 && launches.back() * growth < most) {
    launches.push_back(static_cast<int>(std::lround(launches.back() * growth)));
  }
  launches.push_back(most);
  return launches;
}

/// The level that an exact interval of the median of n values has when `level` is asked for.
/// nullopt when n is too small.
std::optional<double> exact_level(int n, double level) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  const auto interval = quantile_interval(values, 0.5, level);
  return interval ? std::optional(interval->level) : std::nullopt;
}

}  // namespace

Looks::Looks(int most, double level) {
  const std::vector<int> launches = moments(most);
  const double share = (1 - level) / static_cast<double>(launches.size());
  double unspent = 0;
  for (const int count : launches) {
    unspent += share;
    const auto exact = exact_level(count, 1 - unspent);
    if (exact || count == most) looks_.push_back({count, exact.value_or(1 - unspent)});
    if (exact) unspent -= 1 - *exact;
  }
}

const Look* Looks::at(int launches) const {
  const auto found = std::ranges::find(looks_, launches, &Look::launches);
  return found == looks_.end() ? nullptr : &*found;
}

const Look* Looks::after(int launches) const {
  const auto found = std::ranges::upper_bound(looks_, launches, {}, &Look::launches);
  return found == looks_.end() ? nullptr : &*found;
}

}  // namespace hockney
