#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"
#include "verdicts/multiplicity.hpp"

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

/// The interval of a ratio from that of its logarithm; of the same level.
inline std::optional<Interval> ratio_interval(const std::optional<Interval>& of_logarithm) {
  if (!of_logarithm) return std::nullopt;
  return Interval{std::exp(of_logarithm->low), std::exp(of_logarithm->high), of_logarithm->level};
}

// What two sets of independent values say of the shift from `reference` to `samples`, when they
// differ in nothing else (Mann and Whitney 1947). Its estimate is hodges_lehmann_shift() of core.
// Distributions are exact for up to 50 values together.

/// Whether the shift lies beyond the margin >= 0. nullopt when one side has no values.
std::optional<double> rank_sum_p(std::span<const double> samples, std::span<const double> reference,
                                 double margin = 0);

/// The smallest two-sided p-value of so many values: 2 / (n + m choose n), 1 when a side has none.
double smallest_rank_sum_p(std::size_t samples, std::size_t reference);

/// Interval of the shift from all differences (Moses 1965). nullopt where the smallest p-value
/// exceeds 1 - level, because then no two differences enclose the shift that surely: 3 and 3 at
/// 95 % (2/20), while 4 and 4 will do (2/70).
std::optional<Interval> rank_sum_interval(std::span<const double> samples,
                                          std::span<const double> reference, double level = 0.95);

// What n independent differences, each symmetric about one shift, say of that shift (Wilcoxon
// 1945). Its estimate is hodges_lehmann() of core. Distributions are exact for n <= 25.

/// Whether the shift lies beyond the margin >= 0. Differences that equal the margin speak for
/// neither side and are left out. nullopt for no differences.
std::optional<double> signed_rank_p(std::span<const double> differences, double margin = 0);

/// The same of the shift lying above `margin`, which may be negative: one-sided. nullopt for no
/// differences.
std::optional<double> signed_rank_above(std::span<const double> differences, double margin);

/// The smallest two-sided p-value of n differences: 2/2^n, 1 for n <= 1.
double smallest_signed_rank_p(std::size_t n);

/// Interval of the shift from the Walsh averages (Tukey 1949). nullopt where 2/2^n exceeds
/// 1 - level, because then no two values enclose the shift that surely: fewer than 6 at 95 %.
std::optional<Interval> signed_rank_interval(std::span<const double> differences,
                                             double level = 0.95);

// What so many launches can show, and how many it takes.

/// The smallest p of a point, however large its difference: 2^-n of n pairs, 1 / C(n + m, n) of n
/// and m launches, twice that where `either` side may be the greater and none is told from the
/// other by its number of launches.
double smallest_p(const Contrast& contrast, Alternative alternative);

/// The statistic that a point must exceed to be shown at alpha, before any other is. nullopt where
/// there are too few rearrangements.
std::optional<double> critical_value(const FamilyTest& test, double alpha);

/// By how much (a logarithm) the differences of a contrast must exceed the margin to reach a
/// critical value, with their spread. nullopt where so few launches never do.
std::optional<double> visible_shift(const Contrast& contrast, double critical);

/// What a family asks of each of its points before any other is shown.
struct FamilyThreshold {
  double critical = 0;     ///< that the statistic must exceed (critical_value())
  double least_level = 0;  ///< alpha over all tests, in both directions: no family asks for less
};

/// Launches (on each side) with which a difference such as this one is shown four times of five; by
/// Student's t at the level that the family asks of a point. More than there are on the smaller
/// side: those do not show it. nullopt where it does not exceed the margin, or would take more than
/// 1000.
std::optional<std::size_t> launches_to_show(const Contrast& contrast, double margin,
                                            const FamilyThreshold& family);

}  // namespace hockney::verdicts
