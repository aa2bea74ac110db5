#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "core/statistics.hpp"
#include "verdicts/rank_null.hpp"

namespace hockney::verdicts {

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

}  // namespace hockney::verdicts
