#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "components/health/detection/check.hpp"
#include "core/statistics.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::health {

/// Whether measurements of this day are ignored.
bool in_maintenance(std::int64_t day, std::span<const MaintenanceWindow> windows);

/// A counted night, prepared for the detector.
struct CountedNight {
  const NightlyValue* night = nullptr;  ///< in the series, which must outlive it
  NightInput input;
};

/// The counted nights of a series up to `today`: outside of maintenance, from its last accepted
/// shift on. InputError if days do not ascend or values are not positive and finite, in any night.
std::vector<CountedNight> counted_nights(const NightlySeries& series, const CheckOptions& options,
                                         std::int64_t today);

/// The detector after all nights, with the levels it found.
struct NextStep {
  Detector detector;
  std::vector<std::size_t> levels{0};  ///< first nights of the levels that became baselines
  std::size_t alarmed = 0;             ///< night of the latest change of level; 0 without one
};

NextStep follow(std::span<const CountedNight> nights, const NightlySeries& series,
                const CheckOptions& options);

inline bool has_changed(Level level) { return level == Level::higher || level == Level::lower; }

/// Variation of the nights of one series without changes of level.
struct SteadyNights {
  std::vector<double> deviations;  ///< [log ratio] positive: worse; in time order
  std::size_t block = 1;           ///< nights that a bootstrap keeps together
  double noise = 0;                ///< robust standard deviation [log ratio]
  double autocorrelation = 0;      ///< of adjacent nights
};

/// Fewest earlier nights needed to judge a single night.
inline constexpr std::size_t nights_before_outlier = 6;

/// The last night, if it is an outlier. Its distance from the median of the (at most 120) others is
/// at least 4 noises and twice that of any other. Its whole interval is beyond the practical floor.
/// So spikes raise the limit: after one spike of 20 % a night must be 40 % off. Outliers on the
/// same side just before it are no others, at most `recent` of them: a new level stays an outlier
/// until the detector has decided. Returns nullopt otherwise, or with fewer than 6 others.
std::optional<NightOutlier> night_outlier(std::span<const CountedNight> nights,
                                          const DetectorParameters& parameters);

/// Number of events in simulated series-years. The interval of the Poisson rate is exact (Garwood
/// 1936), at 95 %. nullopt without series-years.
struct YearlyRate {
  std::size_t events = 0;
  double series_years = 0;

  [[nodiscard]] std::optional<double> per_year() const;
  [[nodiscard]] std::optional<Interval> interval() const;
};

struct CalibrateOptions {
  double false_alarms_per_year = 0.3;                   ///< target for one series, for worse values
  std::size_t series_years = 1000;                      ///< simulated for each figure
  std::vector<double> changes{0.03, 0.05, 0.10, 0.20};  ///< planted changes [ratio - 1]
  std::size_t within_nights = 14;
  std::uint64_t seed = 1;
};

/// Detection of a planted change for the worse.
struct PlantedDelay {
  double change = 0;                    ///< [ratio - 1]
  verdicts::Rate found;                 ///< within `within_nights`
  std::optional<double> median_nights;  ///< nights until detection, over all planted changes;
                                        ///< nullopt: most are never detected
};

/// Calibration of the detector from the site's history.
struct SiteCalibration {
  std::size_t series = 0;        ///< number of series used
  std::size_t skipped = 0;       ///< number of series with too few nights
  std::size_t block_nights = 0;  ///< of the bootstrap: median over series
  double noise = 0;              ///< robust standard deviation: median over series [log ratio]
  double autocorrelation = 0;    ///< of adjacent nights: median over series
  double threshold = 0;          ///< for DetectorParameters::threshold
  bool reached = false;          ///< false: the largest threshold still alarms too often
  YearlyRate false_alarms;       ///< for worse values, with that threshold; alarms of one series
                                 ///< cluster, so the interval is somewhat too narrow
  YearlyRate false_improvements;
  std::vector<PlantedDelay> delays;
};

/// Calibrates the detector by simulation. The steady stretches of the history, between lasting
/// changes of level, give the variation of nights. A moving-block bootstrap (Kuensch 1989) makes
/// series-years from them, with the site's spikes, drifts and dependence. Blocks are as long as
/// block_length(), at least twice the detector's `recent` nights. The threshold is the smallest of
/// 4, 4.25 ... 24 that keeps the target rate. Returns nullopt if no series has twice as many steady
/// nights as a baseline. InputError as check_series(), and for a rate or number of series-years
/// that is not positive.
std::optional<SiteCalibration> calibrate_detector(std::span<const NightlySeries> series,
                                                  const CheckOptions& check = {},
                                                  const CalibrateOptions& options = {});

}  // namespace hockney::health
