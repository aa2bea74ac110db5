#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::health {

/// A figure of one night, with its interval over launches.
struct Figure {
  double value = 0;
  std::optional<Interval> interval;
  std::size_t launches = 0;  ///< with two sides, of the smaller one
};

/// Run-to-run spread of one night: a robust coefficient of variation [ratio]. It is the median
/// distance between two launches' logarithms over 0.9539, its value for a normal distribution of
/// standard deviation 1. The interval uses order statistics of the distances of disjoint pairs of
/// launches; it is exact for any distribution, from 12 launches on. Returns nullopt for fewer than
/// 3 launches. InputError for times that are not positive and finite, here and in
/// congestion_factor().
std::optional<Figure> run_to_run_spread(std::span<const double> launch_seconds);

/// Number of samples of one launch and of their outliers (beyond Q3 + 3 IQR: core/record.hpp).
struct LaunchOutliers {
  std::size_t outliers = 0;
  std::size_t samples = 0;
};

/// Fraction of outliers among samples: median over launches with its order-statistic interval.
/// Returns nullopt if no launch has samples. InputError if a launch has more outliers than samples.
std::optional<Figure> outlier_rate(std::span<const LaunchOutliers> launches);

/// Ratio of times under load to times without (GPCNeT's congestion impact factor, Chunduri et al.
/// 2019). It is exp of the Hodges-Lehmann shift of the logarithms, with the interval of Moses.
/// Returns nullopt if one side has no launches. Pass medians for the typical victim, p99 for the
/// worst.
std::optional<Figure> congestion_factor(std::span<const double> loaded_seconds,
                                        std::span<const double> idle_seconds);

/// Larger deviations are clipped to this, so that a spike is no level and adds no correlation
/// [noise].
inline constexpr double most_deviation = 3;

/// Autocorrelation of adjacent values, within [0, 0.9]. Deviations from `centre` are clipped to
/// `most_deviation` times `noise` > 0. The bias of short series is corrected by (1 + 3 rho) / n
/// (Kendall 1954). Returns 0 without values.
double lag_one_autocorrelation(std::span<const double> values, double centre, double noise);

/// Length of blocks that preserve the dependence of n values, within 1 and n / 3. It is the optimum
/// of Politis and White (2004) for an AR(1) series, (sqrt(6) rho / (1 - rho^2))^(2/3) n^(1/3).
std::size_t block_length(double autocorrelation, std::size_t n);

/// Fills `out` with runs of `block` >= 1 consecutive values from random places of `values` (moving
/// blocks: Kuensch 1989). `values` must not be empty.
void resample_blocks(std::span<const double> values, std::size_t block, std::mt19937_64& random,
                     std::span<double> out);

struct BaselineParameters {
  std::size_t shortest = 14;  ///< accepted nights before the first verdict
  std::size_t window = 120;   ///< most accepted nights in the baseline
  double least_noise = 0.01;  ///< least noise [log ratio], even if nights agree better
};

/// Usual level of a series of logarithms: median, robust spread and autocorrelation of its accepted
/// nights. The oldest nights are dropped.
class Baseline {
 public:
  /// InputError if the window is shorter than the shortest baseline, that one is below 2 nights, or
  /// the noise floor is not positive.
  explicit Baseline(const BaselineParameters& parameters);

  /// O(window) time.
  void add(double log_value);
  /// Moves all nights so that their median is `log_value`; noise and autocorrelation stay.
  void move_to(double log_value);
  void clear();

  [[nodiscard]] std::size_t nights() const { return nights_.size(); }
  [[nodiscard]] bool ready() const { return nights() >= parameters_.shortest; }

  // Valid once ready(); before that 0, the floor and 0.

  [[nodiscard]] double median() const { return median_; }

  /// 1.4826 MAD n / (n - 0.8), a correction for small n (Croux and Rousseeuw 1992); at least the
  /// floor.
  [[nodiscard]] double noise() const { return noise_; }

  /// lag_one_autocorrelation() of the nights.
  [[nodiscard]] double autocorrelation() const { return autocorrelation_; }

 private:
  void describe();

  BaselineParameters parameters_;
  std::vector<double> nights_;  ///< in time order
  std::vector<double> sorted_;
  double median_ = 0;
  double noise_ = 0;
  double autocorrelation_ = 0;
};

/// Parameters of the detector. docs/measurements/health.md has the error rates of the defaults, and
/// their origin. Heights are in robust standard deviations of the baseline.
struct DetectorParameters {
  BaselineParameters baseline;
  std::size_t lag = 14;     ///< nights before a night joins the baseline: no new change in it
  double clip = 3;          ///< largest score of a night: spikes are winsorised
  double allowance = 0.5;   ///< k of Page (1954): half of the smallest shift worth finding
  double threshold = 5.25;  ///< h: alarm when the sum of scores beyond the allowance exceeds it
  double practical = 0.03;  ///< smallest relevant change [ratio - 1]
  std::size_t recent = 7;   ///< number of nights whose median must also be beyond `practical`
  std::size_t adopt = 30;   ///< nights until an improvement becomes the baseline
};

/// Level of a series relative to its baseline.
enum class Level { unknown, usual, higher, lower };

/// One night as input of the detector.
struct NightInput {
  double log_value = 0;   ///< natural logarithm, so that a change is a ratio
  std::int64_t gap = 1;   ///< days since the previous night: correlation fades over missing nights
  double error = 0;       ///< standard error of log_value over launches; 0 if unknown
  double half_digit = 0;  ///< half of the last printed digit [unit of the value]; 0: not rounded
};

/// Largest change between two levels that rounding alone can cause [log ratio].
double rounding_between(double log_one, double log_other, double half_digit);

/// Effect of one night.
struct NightFinding {
  Level level = Level::unknown;  ///< after this night
  bool changed = false;          ///< the level differs from the previous night's, or is worse by a
                                 ///< second step
  bool adopted = false;          ///< this night an improved level became the baseline, or a worse
                                 ///< one that from which the second step is
  std::optional<double> score;   ///< distance from the median [noise]; nullopt without a baseline
};

/// Two-sided CUSUM (Page 1954) of clipped scores against a running baseline, with a practical
/// floor. It reads one night at a time, and needs the memory of one baseline. Scores are whitened
/// by the baseline's autocorrelation rho, e = (z - rho z_before) / sqrt(1 - rho^2) (Alwan and
/// Roberts 1988). The allowance is widened by half the standard error of the baseline, 1 / (2
/// sqrt(n)). A change for the worse stays until the level is usual again, or restart(). A change
/// for the better becomes the baseline after `adopt` nights. Before that, nights are compared with
/// the improved level, if it is 3 noises better, from its 2 `recent` nights on: the median of all
/// but the last `recent`, with the noise of the baseline. So a regression from a new, better level
/// is found at once. Nights of a worse level are compared with that level in the same way, so a
/// second step is found. Levels also differ by more than the rounding of printed values.
class Detector {
 public:
  /// `worse` is higher or lower. InputError for parameters that are not positive.
  explicit Detector(const DetectorParameters& parameters, Level worse = Level::higher);

  /// InputError if the value is not finite.
  NightFinding observe(const NightInput& night);

  /// Clears everything: the next nights form a new baseline, as after an accepted shift.
  void restart();

  [[nodiscard]] const Baseline& baseline() const { return baseline_; }
  [[nodiscard]] Level level() const { return level_; }

 private:
  double whitened(double score, std::int64_t gap);
  [[nodiscard]] double recent_level() const;
  [[nodiscard]] double floor_from(double level) const;
  void accumulate(double innovation);
  [[nodiscard]] Level judged() const;
  [[nodiscard]] bool is_worse_than_settled() const;
  [[nodiscard]] bool is_better(Level level) const;
  void change_to(Level level);
  void follow_settled();
  void accept(double log_value);
  void adopt_or_wait(double log_value);
  void enter(Level level);

  DetectorParameters parameters_;
  Level worse_;
  Baseline baseline_;
  Level level_ = Level::unknown;
  double rise_ = 0;                ///< CUSUM upward
  double fall_ = 0;                ///< CUSUM downward
  double before_ = 0;              ///< clipped score of the previous night
  std::vector<double> recent_;     ///< the last nights, oldest first
  std::vector<double> waiting_;    ///< to join the baseline; at another level: since the change
  std::optional<double> settled_;  ///< the level since a change, once its nights are enough
  double half_digit_ = 0;          ///< of the last night
};

}  // namespace hockney::health
