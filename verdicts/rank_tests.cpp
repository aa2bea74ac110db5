#include "verdicts/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::verdicts {
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
  const std::size_t n = samples.size();
  const RankSum null = RankSum::of_draw(doubled_ranks(n + reference.size()), n);
  return rank_interval(OrderedSums::between(samples, reference), null, n * (n + 1), level);
}

namespace {

/// Tails of the positive ranks about one shift: `above` for ranks as high, `below` for as low.
Tails tails_about(std::span<const double> differences, double shift) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    const double residue = difference - shift;
    if (std::abs(residue) <= rank_resolution) continue;
    sizes.push_back(std::abs(residue));
    positive.push_back(residue > 0);
  }
  const std::vector<std::size_t> ranks = doubled_midranks(sizes);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += positive[i] ? ranks[i] : 0;
  const RankSum null = RankSum::of_signs(ranks);
  return {null.at_least(sum), null.at_most(sum)};
}

}  // namespace

std::optional<double> signed_rank_p(std::span<const double> differences, double margin) {
  if (differences.empty()) return std::nullopt;
  return two_sided(
      {tails_about(differences, margin).above, tails_about(differences, -margin).below});
}

std::optional<double> signed_rank_above(std::span<const double> differences, double margin) {
  if (differences.empty()) return std::nullopt;
  return tails_about(differences, margin).above;
}

double smallest_signed_rank_p(std::size_t n) {
  return n <= 1 ? 1.0 : std::exp2(1 - static_cast<double>(n));
}

std::optional<Interval> signed_rank_interval(std::span<const double> differences, double level) {
  const RankSum null = RankSum::of_signs(doubled_ranks(differences.size()));
  auto interval = rank_interval(OrderedSums::within(differences), null, 0, level);
  if (!interval) return std::nullopt;
  return Interval{interval->low / 2, interval->high / 2, interval->level};  // Walsh averages
}

}  // namespace hockney::verdicts
