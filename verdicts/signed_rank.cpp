#include "verdicts/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/statistics_sorted.hpp"

namespace hockney {
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
  const std::vector<double> sorted = sorted_finite(differences);
  std::vector<double> walsh;
  walsh.reserve(sorted.size() * (sorted.size() + 1) / 2);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i; j < sorted.size(); ++j) {
      walsh.push_back(std::midpoint(sorted[i], sorted[j]));
    }
  }
  std::ranges::sort(walsh);
  return rank_interval(walsh, RankSum::of_signs(doubled_ranks(sorted.size())), 0, level);
}

}  // namespace hockney
