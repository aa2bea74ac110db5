#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "verdicts/rank_null.hpp"

namespace hockney {

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

}  // namespace hockney
