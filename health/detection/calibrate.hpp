#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"
#include "health/detection/check.hpp"
#include "verdicts/clock_truth.hpp"

namespace hockney::health {

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
