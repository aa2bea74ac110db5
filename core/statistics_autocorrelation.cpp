#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/statistics.hpp"
#include "core/statistics_sorted.hpp"

namespace hockney {
namespace {

/// Ranks from 1 to n less their mean (n+1)/2; ties share the mean of their ranks.
std::vector<double> centred_ranks(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_finite(samples);
  const double centre = static_cast<double>(sorted.size() + 1) / 2;
  std::vector<double> ranks;
  ranks.reserve(samples.size());
  for (const double sample : samples) {
    const auto ties = std::ranges::equal_range(sorted, sample);
    const auto before = static_cast<double>(ties.begin() - sorted.begin());
    ranks.push_back(before + static_cast<double>(ties.size() + 1) / 2 - centre);
  }
  return ranks;
}

double autocovariance(const std::vector<double>& ranks, std::size_t lag) {
  const auto shifted = ranks.begin() + static_cast<std::ptrdiff_t>(lag);
  return std::inner_product(shifted, ranks.end(), ranks.begin(), 0.0) /
         static_cast<double>(ranks.size());
}

}  // namespace

std::optional<double> effective_sample_size(std::span<const double> samples) {
  if (samples.size() < 4) return std::nullopt;
  const auto n = static_cast<double>(samples.size());
  const std::vector<double> ranks = centred_ranks(samples);
  const double variance = autocovariance(ranks, 0);
  if (variance <= 0) return n;
  // Geyer 1992, section 3.3: sums of neighbouring even and odd lags are positive for a reversible
  // chain, so the first one that is not is noise, and so is all that follows.
  double tau = -1;
  for (std::size_t lag = 0; lag + 1 < samples.size(); lag += 2) {
    const double pair = (autocovariance(ranks, lag) + autocovariance(ranks, lag + 1)) / variance;
    if (pair <= 0) break;
    tau += 2 * pair;
  }
  return n / std::clamp(tau, 1.0, n);
}

std::optional<double> median_error(std::span<const double> samples) {
  const auto size = effective_sample_size(samples);
  if (!size) return std::nullopt;
  const double step = 1 / (2 * std::sqrt(*size));
  const auto low = quantile(samples, std::max(0.0, 0.5 - step));
  const auto high = quantile(samples, std::min(1.0, 0.5 + step));
  if (!low || !high) return std::nullopt;
  return (*high - *low) / 2;
}

}  // namespace hockney
