#pragma once

#include <optional>
#include <span>

#include "verdicts/health/check.hpp"
#include "verdicts/health/counted_nights.hpp"

namespace hockney {

/// Fewest nights before the one that is judged by itself.
inline constexpr std::size_t nights_before_outlier = 6;

/// The last of the nights, when it is twice as far from the median of the others (of the last 120)
/// as any of them, beyond the practical floor with its whole interval, and 4 noises away. A series
/// with spikes thereby raises its own bar: after one spike of 20 % a night must be 40 % off.
/// nullopt otherwise, or with fewer than 6 others.
std::optional<NightOutlier> night_outlier(std::span<const CountedNight> nights,
                                          const DetectorParameters& parameters);

}  // namespace hockney
