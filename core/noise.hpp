#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.hpp"

namespace hockney {

/// A rhythm in which a core is interrupted.
struct NoisePeriod {
  double period_seconds = 0;
  /// Bound on the probability that interruptions at random times show any period as clear as this.
  double false_alarm = 0;
  double share = 0;  ///< of the interruptions, those that keep to it beyond what chance brings

  friend bool operator==(const NoisePeriod&, const NoisePeriod&) = default;
};

/// What happened to a core that did one piece of work again and again without a pause. An
/// interruption is one piece or several in a row that took longer than the limit for outliers
/// (outlier_limit). Rates are given for each of several parts of the recording, so that they have
/// intervals.
struct CoreNoise {
  int rank = 0;
  double recorded_seconds = 0;
  double work_seconds = 0;                          ///< of the shortest piece
  double limit_seconds = 0;                         ///< of a piece without an interruption
  std::vector<double> stolen;                       ///< mean / shortest - 1, of each part
  std::vector<double> interruptions_per_second;     ///< of each part [1/s]
  std::int64_t interruptions = 0;                   ///< of all parts
  std::optional<double> median_seconds{};           ///< of the time that one of them took
  std::optional<double> longest_seconds{};          ///< the same of the longest
  std::optional<std::vector<NoisePeriod>> periods;  ///< largest share first; nullopt: too few

  friend bool operator==(const CoreNoise&, const CoreNoise&) = default;
};

/// A recording is looked at in so many parts, enough for an interval of a median.
inline constexpr std::size_t noise_parts = 10;

/// Fewer interruptions have no period that could be told.
inline constexpr std::size_t fewest_interruptions = 20;

/// A period is there when interruptions at random times would show one like it in at most so many
/// recordings.
inline constexpr double period_false_alarm = 0.01;

/// What pieces of the same work, one directly after the other, say of the core [s]. InputError for
/// fewer than noise_parts pieces, and for one that takes no time.
CoreNoise judge_noise(std::span<const double> pieces_seconds);

/// The periods of events at these times in a recording of so many seconds, those with most events
/// first, from half a millisecond to a tenth of the recording.
///
/// A periodogram of the events as unit pulses (Rayleigh: |sum exp(2 pi i f t)|^2 / n), which for
/// times at random is exponential with mean 1 at every frequency. It is divided by its own level
/// thereabouts (median / ln 2, at least 1), so that bursts, which raise it over a range, are no
/// period. The bound of Bonferroni over all frequencies gives the probability of a false alarm.
/// Events of one period raise its harmonics too: the lowest frequency that the strongest is a
/// multiple of, and three quarters of whose multiples are raised, gives the period, and all its
/// multiples are left out.
/// Of n events those of a period must be some sqrt(14 n) to be told. nullopt for fewer than
/// fewest_interruptions events.
std::optional<std::vector<NoisePeriod>> find_periods(std::span<const double> at_seconds,
                                                     double recorded_seconds);

}  // namespace hockney
