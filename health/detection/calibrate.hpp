#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"
#include "health/detection/check.hpp"
#include "verdicts/self_test.hpp"

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

/// Events in so many series-years, with the exact interval of a Poisson rate (Garwood 1936) at 95
/// %. nullopt without series-years.
struct YearlyRate {
  std::size_t events = 0;
  double series_years = 0;

  [[nodiscard]] std::optional<double> per_year() const;
  [[nodiscard]] std::optional<Interval> interval() const;
};

struct CalibrateOptions {
  double false_alarms_per_year = 0.3;  ///< wanted, of one series, in the direction that is worse
  std::size_t series_years = 1000;     ///< simulated for each figure
  std::vector<double> changes{0.03, 0.05, 0.10, 0.20};  ///< planted [ratio - 1]
  std::size_t within_nights = 14;
  std::uint64_t seed = 1;
};

/// How a planted change for the worse is found.
struct PlantedDelay {
  double change = 0;                    ///< [ratio - 1]
  verdicts::Rate found;                 ///< within `within_nights`
  std::optional<double> median_nights;  ///< until known, of all planted; nullopt: most never
};

/// What the site's own history says of its alarms.
struct SiteCalibration {
  std::size_t series = 0;        ///< that were learnt from
  std::size_t skipped = 0;       ///< too short for that
  std::size_t block_nights = 0;  ///< of the bootstrap: median over series
  double noise = 0;              ///< robust standard deviation: median over series [log ratio]
  double autocorrelation = 0;    ///< of nights next to each other: median over series
  double threshold = 0;          ///< for DetectorParameters::threshold
  bool reached = false;          ///< false: even the largest threshold alarms more often
  YearlyRate false_alarms;       ///< with that threshold, for the worse; alarms of one series
                                 ///< cluster, so that its interval is somewhat too narrow
  YearlyRate false_improvements;
  std::vector<PlantedDelay> delays;
};

/// Learns how nights differ from the steady stretches of the history, between changes of level that
/// lasted, and makes series-years of it by a moving-block bootstrap (Kuensch 1989) whose blocks are
/// as long as the autocorrelation asks for (block_length(), and twice the detector's `recent`
/// nights at least), so that spikes, drifts and dependence are the site's own. The threshold is the
/// smallest of 4, 4.25 ... 24 that keeps the rate wanted. nullopt when no series has twice as many
/// steady nights as a baseline; InputError as check_series(), and for a rate or number of
/// series-years that is not positive.
std::optional<SiteCalibration> calibrate_detector(std::span<const NightlySeries> series,
                                                  const CheckOptions& check = {},
                                                  const CalibrateOptions& options = {});

}  // namespace hockney::health
