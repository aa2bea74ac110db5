#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/ordered_sums.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {

/// Values nearer than this share a rank. The values are logarithms of times, whose rounding must
/// not look like a difference that all launches agree on.
inline constexpr double rank_resolution = 1e-12;

/// Up to this many ranks their null distributions are exact, beyond it normal.
inline constexpr std::size_t exact_signed_ranks = 25;
inline constexpr std::size_t exact_ranks = 50;

// Ranks and sums of ranks are doubled, so that the mean rank of ties is a whole number.

/// Twice the rank of each value among all of them; ties get the mean of their ranks.
std::vector<std::size_t> doubled_midranks(std::span<const double> values);

/// 2, 4, ... 2n: the ranks of n values without ties.
std::vector<std::size_t> doubled_ranks(std::size_t n);

/// How a sum of ranks is distributed when chance alone decides which ranks are in it. Ties are no
/// exception: the distribution is that of the ranks as they are, by the shift algorithm of
/// Streitberg and Roehmel (1986). With many ranks it is normal, with their exact variance (which
/// is the usual correction for ties) and a correction for continuity.
class RankSum {
 public:
  /// Every rank is in the sum or not, with equal chance: the signed-rank statistic.
  static RankSum of_signs(std::span<const std::size_t> ranks);
  /// `drawn` of the ranks, every choice with equal chance: the rank-sum statistic.
  static RankSum of_draw(std::span<const std::size_t> ranks, std::size_t drawn);

  [[nodiscard]] double at_most(std::size_t sum) const;
  [[nodiscard]] double at_least(std::size_t sum) const;

 private:
  RankSum(double mean, double variance);
  explicit RankSum(const std::vector<double>& weights);

  std::vector<double> at_most_;   ///< by sum; empty when normal
  std::vector<double> at_least_;  ///< by sum
  double mean_ = 0;
  double deviation_ = 0;
};

/// One-sided p-values about a shift that a margin >= 0 is allowed: how likely ranks this high are
/// if the shift were +margin, and ranks this low if it were -margin.
struct Tails {
  double above = 1;
  double below = 1;
};

/// Twice the smaller one, at most 1. For a margin of 0 the ordinary two-sided p-value; otherwise
/// the hypothesis is that the shift lies within the margin, and doubling covers both of its ends.
double two_sided(const Tails& tails);

/// The interval of a shift by inverting its test (Lehmann 1963): [x(c), x(N+1-c)] of the N
/// `candidates` with the largest c for which chance puts at most c-1 of them on one
/// side of the truth with probability <= (1-level)/2. `null` is the distribution without ties,
/// whose smallest doubled sum is `smallest`. nullopt when there is no such c.
std::optional<Interval> rank_interval(const OrderedSums& candidates, const RankSum& null,
                                      std::size_t smallest, double level);

}  // namespace hockney::verdicts
