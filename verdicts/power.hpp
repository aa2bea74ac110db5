#pragma once

#include <cstddef>
#include <optional>

#include "verdicts/max_t.hpp"

namespace hockney::verdicts {

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
