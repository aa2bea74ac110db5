#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"
#include "verdicts/max_t.hpp"

namespace hockney::verdicts {

// Intervals that agree with the verdicts of a family. Each holds the shifts (logarithms of ratios)
// at which the statistic of max_t does not exceed what the family reaches by chance. So all of them
// hold their true values at once in at least 1 - alpha of the campaigns, and one lies wholly beyond
// the margin exactly where a difference is shown. Chance is taken twice, and the larger counts: as
// the test does, without any difference, and around the differences found, since those make the
// launches of the test larger than their noise.

/// What the family says of one contrast.
enum class Shown { nothing, above, below };

/// The same interval, drawn to the verdict where the discreteness of few launches parts them: of
/// what is shown it ends at the margin, and of what is not it reaches the margin.
Interval agreeing(Interval shifts, double margin, Shown shown);

/// In the order of the family; nullopt where so few launches leave every shift possible. O(family x
/// rearrangements). `test` is that of the same family and alternative,
/// with any margin.
std::vector<std::optional<Interval>> family_intervals(std::span<const Contrast> family,
                                                      const FamilyTest& test, double alpha,
                                                      Alternative alternative);

}  // namespace hockney::verdicts
