#include "verdicts/rank_sum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/statistics_sorted.hpp"

namespace hockney {
namespace {

/// Tails of the samples' ranks among all values, had they been shifted by `shift`.
Tails tails_about(std::span<const double> samples, std::span<const double> reference,
                  double shift) {
  std::vector<double> all;
  for (const double sample : samples) all.push_back(sample - shift);
  all.insert(all.end(), reference.begin(), reference.end());
  const std::vector<std::size_t> ranks = doubled_midranks(all);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) sum += ranks[i];
  const RankSum null = RankSum::of_draw(ranks, samples.size());
  return {null.at_least(sum), null.at_most(sum)};
}

}  // namespace

std::optional<double> rank_sum_p(std::span<const double> samples, std::span<const double> reference,
                                 double margin) {
  if (samples.empty() || reference.empty()) return std::nullopt;
  return two_sided({tails_about(samples, reference, margin).above,
                    tails_about(samples, reference, -margin).below});
}

double smallest_rank_sum_p(std::size_t samples, std::size_t reference) {
  // 2 / C(n+m, n) as a product, which neither overflows nor loses the small ones.
  double smallest = 2;
  for (std::size_t i = 1; i <= samples; ++i) {
    smallest *= static_cast<double>(i) / static_cast<double>(reference + i);
  }
  return std::min(1.0, smallest);
}

std::optional<Interval> rank_sum_interval(std::span<const double> samples,
                                          std::span<const double> reference, double level) {
  const std::vector<double> own = sorted_finite(samples);
  const std::vector<double> other = sorted_finite(reference);
  std::vector<double> differences;
  differences.reserve(own.size() * other.size());
  for (const double sample : own) {
    for (const double value : other) differences.push_back(sample - value);
  }
  std::ranges::sort(differences);
  const std::size_t n = own.size();
  const RankSum null = RankSum::of_draw(doubled_ranks(n + other.size()), n);
  return rank_interval(differences, null, n * (n + 1), level);
}

}  // namespace hockney
