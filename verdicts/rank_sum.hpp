#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "verdicts/rank_null.hpp"

namespace hockney {

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

}  // namespace hockney
