#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"

namespace hockney {

/// A period with which a core is interrupted.
struct NoisePeriod {
  double period_seconds = 0;
  /// Bound on the probability that random interruptions show any period as clearly as this.
  double false_alarm = 0;
  double share = 0;  ///< share of the interruptions that follow it, less those by chance

  friend bool operator==(const NoisePeriod&, const NoisePeriod&) = default;
};

/// Interruptions of a core that repeats one piece of work without a pause. An interruption is one
/// piece or several in a row that took longer than the limit for outliers (outlier_limit). Rates
/// are given for each part of the recording, which allows an interval.
struct CoreNoise {
  int rank = 0;
  double recorded_seconds = 0;
  double work_seconds = 0;                          ///< shortest piece
  double limit_seconds = 0;                         ///< longest piece that is no interruption
  std::vector<double> stolen;                       ///< mean / shortest - 1 in each part
  std::vector<double> interruptions_per_second;     ///< in each part [1/s]
  std::int64_t interruptions = 0;                   ///< in all parts
  std::optional<double> median_seconds{};           ///< median duration
  std::optional<double> longest_seconds{};          ///< longest duration
  std::optional<std::vector<NoisePeriod>> periods;  ///< largest share first; nullopt: too few

  friend bool operator==(const CoreNoise&, const CoreNoise&) = default;
};

/// Parts of a recording, enough for the interval of a median.
inline constexpr std::size_t noise_parts = 10;

/// Periods are not searched for with fewer interruptions than this.
inline constexpr std::size_t fewest_interruptions = 20;

/// A period is accepted if random interruptions would show one like it in at most this share of
/// recordings.
inline constexpr double period_false_alarm = 0.01;

/// Analyses the durations [s] of consecutive pieces of equal work. InputError for fewer than
/// noise_parts pieces, and for a piece of 0 s.
CoreNoise judge_noise(std::span<const double> pieces_seconds);

/// Finds the periods of events at these times in a recording of `recorded_seconds`, from 0.5 ms to
/// a tenth of the recording; those with most events come first.
///
/// Computes a periodogram of the events as unit pulses (Rayleigh: |sum exp(2 pi i f t)|^2 / n). For
/// random times it is exponential with mean 1 at every frequency. It is divided by its local level
/// (median / ln 2, at least 1): bursts raise it over a range of frequencies and are no period. The
/// probability of a false alarm is Bonferroni's bound over all frequencies.
///
/// One period also raises its harmonics. The period's frequency is therefore the lowest f such that
/// the strongest peak is a multiple of f and three quarters of the multiples of f are raised. Then
/// all multiples of f are removed, and the search repeats.
///
/// A period is detectable if about sqrt(14 n) of n events follow it. Returns nullopt for fewer than
/// fewest_interruptions events.
std::optional<std::vector<NoisePeriod>> find_periods(std::span<const double> at_seconds,
                                                     double recorded_seconds);

}  // namespace hockney
