#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

/// Values nearer than this share a rank. They are logarithms of times; rounding must not look like
/// a difference common to all launches.
inline constexpr double rank_resolution = 1e-12;

/// Null distributions are exact up to this number of ranks, and normal beyond.
inline constexpr std::size_t exact_signed_ranks = 25;
inline constexpr std::size_t exact_ranks = 50;

// Ranks and sums of ranks are doubled, so that the mean rank of ties is a whole number.

/// Null distribution of a sum of ranks: chance alone decides which ranks are in the sum. The
/// distribution is conditional on the ranks, ties included (shift algorithm of Streitberg and
/// Roehmel 1986). With many ranks it is normal, with their exact variance (the usual correction for
/// ties) and a correction for continuity.
class RankSum {
 public:
  /// Signed-rank statistic: each rank is in the sum with probability 1/2.
  static RankSum of_signs(std::span<const std::size_t> ranks);
  /// Rank-sum statistic: `drawn` of the ranks are in the sum, every choice equally likely.
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

/// One-sided p-values about a shift with margin >= 0. `above`: probability of ranks this high if
/// the shift is +margin. `below`: of ranks this low if it is -margin.
struct Tails {
  double above = 1;
  double below = 1;
};

/// Twice the smaller tail, at most 1. With margin 0 this is the ordinary two-sided p-value. With a
/// margin, the hypothesis is that the shift lies within it; doubling covers both ends.
double two_sided(const Tails& tails);

/// The interval of a ratio from that of its logarithm, at the same level.
inline std::optional<Interval> ratio_interval(const std::optional<Interval>& of_logarithm) {
  if (!of_logarithm) return std::nullopt;
  return Interval{std::exp(of_logarithm->low), std::exp(of_logarithm->high), of_logarithm->level};
}

// Tests of the shift from `reference` to `samples`: independent values that differ in nothing else
// (Mann and Whitney 1947). hodges_lehmann_shift() of core estimates the shift. Distributions are
// exact for up to 50 values together.

/// p-value for a shift beyond the margin >= 0. nullopt if one side has no values.
std::optional<double> rank_sum_p(std::span<const double> samples, std::span<const double> reference,
                                 double margin = 0);

/// The smallest two-sided p-value possible: 2 / (n + m choose n), or 1 if a side has no values.
double smallest_rank_sum_p(std::size_t samples, std::size_t reference);

/// Interval of the shift from all differences (Moses 1965). Returns nullopt if the smallest p-value
/// exceeds 1 - level, because no two differences then reach the level. At 95 %, 3 and 3 values are
/// too few (2/20), 4 and 4 are enough (2/70).
std::optional<Interval> rank_sum_interval(std::span<const double> samples,
                                          std::span<const double> reference, double level = 0.95);

// Tests of the shift of n independent differences, each symmetric about it (Wilcoxon 1945).
// hodges_lehmann() of core estimates the shift. Distributions are exact for n <= 25.

/// p-value for a shift beyond the margin >= 0. Differences equal to the margin are left out.
/// nullopt without differences.
std::optional<double> signed_rank_p(std::span<const double> differences, double margin = 0);

/// One-sided p-value for a shift above `margin`, which may be negative. nullopt without
/// differences.
std::optional<double> signed_rank_above(std::span<const double> differences, double margin);

/// The smallest two-sided p-value possible with n differences: 2/2^n, or 1 for n <= 1.
double smallest_signed_rank_p(std::size_t n);

/// Interval of the shift from the Walsh averages (Tukey 1949). Returns nullopt if 2/2^n exceeds 1 -
/// level, because no two averages then reach the level: fewer than 6 values at 95 %.
std::optional<Interval> signed_rank_interval(std::span<const double> differences,
                                             double level = 0.95);

// Power: what a number of launches can show, and the number needed.

/// The smallest p of a point, for any difference: 2^-n for n pairs, 1 / C(n + m, n) for n and m
/// launches. Doubled for `either` if both sides have the same number of launches, or for pairs.
double smallest_p(const Contrast& contrast, Alternative alternative);

/// The statistic that a point must exceed to be significant at alpha while no other point is.
/// nullopt if there are too few rearrangements.
std::optional<double> critical_value(const FamilyTest& test, double alpha);

/// Shift (of logarithms) beyond the margin that reaches the critical value with the spread of these
/// launches. Returns nullopt if no shift reaches it with so few launches.
std::optional<double> visible_shift(const Contrast& contrast, double critical);

/// Threshold of a family for each point while no other point is significant.
struct FamilyThreshold {
  double critical = 0;     ///< smallest significant statistic (critical_value())
  double least_level = 0;  ///< strictest level: alpha over all tests, in both directions
};

/// Launches on each side that would show this difference in 80 % of cases, by Student's t at the
/// family's level. The number is greater than the launches of the smaller side, which do not show
/// the difference. Returns nullopt if the difference is within the margin, or the number exceeds
/// 1000.
std::optional<std::size_t> launches_to_show(const Contrast& contrast, double margin,
                                            const FamilyThreshold& family);

/// A family of points, tested together.
struct FamilyResult {
  FamilyTest test;
  double factor = 1;                            ///< of the smallest p: Holm's first step
  std::optional<FamilyThreshold> threshold;     ///< of max_t, if there are enough rearrangements
  std::vector<std::optional<Interval>> shifts;  ///< of max_t: family_intervals()

  /// The fewest launches with which a point can be significant: factor x smallest(n) <= alpha.
  template <class SmallestP>
  [[nodiscard]] std::size_t launches_for(double alpha, SmallestP&& smallest) const {
    std::size_t n = 1;
    while (factor * smallest(n) > alpha) ++n;
    return n;
  }
};

/// Arguments as of test_family().
FamilyResult judge(std::span<const Contrast> family, std::span<const double> by_ranks,
                   Correction correction, double alpha, double margin, Alternative alternative);

}  // namespace hockney::verdicts
