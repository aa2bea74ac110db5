#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "health/detection/check.hpp"

namespace hockney::health {

/// Whether nothing that was measured on this day counts.
bool in_maintenance(std::int64_t day, std::span<const MaintenanceWindow> windows);

/// A night that counts, ready for the detector.
struct CountedNight {
  const NightlyValue* night = nullptr;  ///< of the series, which must outlive it
  NightInput input;
};

/// The nights of a series up to `today` that count: outside of maintenance, not before the last
/// accepted shift of the series. InputError for days that do not ascend or values that are not
/// positive and finite, in any night.
std::vector<CountedNight> counted_nights(const NightlySeries& series, const CheckOptions& options,
                                         std::int64_t today);

/// What a detector has found when all nights are behind it.
struct Course {
  Detector detector;
  std::vector<std::size_t> levels{0};  ///< first nights of the levels that became the baseline
  std::size_t alarmed = 0;             ///< the night on which the level changed, when it did
};

Course follow(std::span<const CountedNight> nights, const NightlySeries& series,
              const CheckOptions& options);

inline bool has_changed(Level level) { return level == Level::higher || level == Level::lower; }

/// How the nights of one series differ when nothing changes.
struct SteadyNights {
  std::vector<double> deviations;  ///< [log ratio] positive: worse; in order of time
  std::size_t block = 1;           ///< nights that a bootstrap must keep together
  double noise = 0;                ///< robust standard deviation [log ratio]
  double autocorrelation = 0;      ///< of nights next to each other
};

/// The nights of a series that count, without the changes of level that lasted: those that were
/// adopted, and one that is open since `adopt` nights. What went away by itself stays, because that
/// is what false alarms are made of. nullopt when twice a baseline's nights are not left.
std::optional<SteadyNights> steady_nights(const NightlySeries& series, const CheckOptions& options,
                                          std::int64_t today);

/// Fewest nights before the one that is judged by itself.
inline constexpr std::size_t nights_before_outlier = 6;

/// The last of the nights, when it is twice as far from the median of the others (of the last 120)
/// as any of them, beyond the practical floor with its whole interval, and 4 noises away. A series
/// with spikes thereby raises its own bar: after one spike of 20 % a night must be 40 % off.
/// nullopt otherwise, or with fewer than 6 others.
std::optional<NightOutlier> night_outlier(std::span<const CountedNight> nights,
                                          const DetectorParameters& parameters);

}  // namespace hockney::health
