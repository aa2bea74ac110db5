#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::health {

/// A figure that is tracked like any series, with its interval where there is one.
struct Figure {
  double value = 0;
  std::optional<Interval> interval;
  std::size_t launches = 0;  ///< of the smaller side, where there are two
};

/// Run-to-run spread of one night: the median distance between two launches over 0.9539 (its value
/// for a normal distribution of standard deviation 1), on logarithms: a robust coefficient of
/// variation [ratio]. Interval: order statistics of the distances of disjoint pairs of launches,
/// exact for any distribution, from 12 launches on. nullopt for fewer than 3 launches; InputError
/// for times that are not positive and finite, here and in congestion_factor().
std::optional<Figure> run_to_run_spread(std::span<const double> launch_seconds);

/// Samples of one launch, and how many of them are outliers (beyond Q3 + 3 IQR: core/record.hpp).
struct LaunchOutliers {
  std::size_t outliers = 0;
  std::size_t samples = 0;
};

/// Fraction of samples that are outliers: median over launches with its order-statistic interval.
/// nullopt without launches that have samples; InputError for more outliers than samples.
std::optional<Figure> outlier_rate(std::span<const LaunchOutliers> launches);

/// How many times longer under load: exp of the Hodges-Lehmann shift of the logarithms of launch
/// times (GPCNeT's congestion impact factor, Chunduri et al. 2019), with the interval of Moses.
/// nullopt where one side has no launches. Give medians for the typical victim, p99 for the worst.
std::optional<Figure> congestion_factor(std::span<const double> loaded_seconds,
                                        std::span<const double> idle_seconds);

/// No deviation counts for more, so that a spike is no level and correlates with nothing [noise].
inline constexpr double most_deviation = 3;

/// Autocorrelation of values next to each other, within [0, 0.9]: deviations from `centre` are
/// clipped to `most_deviation` times `noise` > 0, and the bias of short series is corrected by
/// (1 + 3 rho) / n (Kendall 1954). 0 without values.
double lag_one_autocorrelation(std::span<const double> values, double centre, double noise);

/// Length of blocks that keep the dependence of n values: the optimum of Politis and White (2004)
/// for an AR(1) series, (sqrt(6) rho / (1 - rho^2))^(2/3) n^(1/3), within 1 and n / 3.
std::size_t block_length(double autocorrelation, std::size_t n);

/// Fills `out` with runs of `block` >= 1 consecutive values from random places of `values`, of
/// which there must be some (moving blocks: Kuensch 1989).
void resample_blocks(std::span<const double> values, std::size_t block, std::mt19937_64& random,
                     std::span<double> out);

struct BaselineParameters {
  std::size_t shortest = 14;  ///< accepted nights before anything is judged
  std::size_t window = 120;   ///< accepted nights it remembers at most
  double least_noise = 0.01;  ///< floor of the noise [log ratio]: nights agree no better than that
};

/// The usual level of a series, of logarithms: median, robust spread and autocorrelation of its
/// accepted nights, the oldest of which are forgotten.
class Baseline {
 public:
  /// InputError when the window is shorter than the shortest baseline, that is below 2 nights, or
  /// the floor is not positive.
  explicit Baseline(const BaselineParameters& parameters);

  /// O(window) time.
  void add(double log_value);
  void clear();

  [[nodiscard]] std::size_t nights() const { return nights_.size(); }
  [[nodiscard]] bool ready() const { return nights() >= parameters_.shortest; }

  // Known once ready(); before that 0, the floor and 0.

  [[nodiscard]] double median() const { return median_; }

  /// 1.4826 MAD n / (n - 0.8), for small n (Croux and Rousseeuw 1992), at least the floor.
  [[nodiscard]] double noise() const { return noise_; }

  /// lag_one_autocorrelation() of the nights.
  [[nodiscard]] double autocorrelation() const { return autocorrelation_; }

 private:
  void describe();

  BaselineParameters parameters_;
  std::vector<double> nights_;  ///< in order of time
  std::vector<double> sorted_;
  double median_ = 0;
  double noise_ = 0;
  double autocorrelation_ = 0;
};

/// How the detector judges. docs/measurements/health.md has the error rates of the defaults, and
/// where they are from. Heights are in robust standard deviations of the baseline.
struct DetectorParameters {
  BaselineParameters baseline;
  std::size_t lag = 14;     ///< nights wait so long to join the baseline: no change may hide in it
  double clip = 3;          ///< no night counts for more: spikes are winsorised
  double allowance = 0.5;   ///< k of Page (1954): half of the smallest shift worth finding
  double threshold = 5.25;  ///< h: alarm when the sum of scores beyond the allowance exceeds it
  double practical = 0.03;  ///< the smallest change that is anyone's business [ratio - 1]
  std::size_t recent = 7;   ///< nights whose median must be beyond `practical` too
  std::size_t adopt = 30;   ///< nights after which an improvement is the new baseline
};

/// Where a series is, against its baseline.
enum class Level { unknown, usual, higher, lower };

/// One night as the detector sees it.
struct NightInput {
  double log_value = 0;  ///< natural logarithm, so that a change is a ratio
  std::int64_t gap = 1;  ///< days since the night before: correlation fades over missing nights
  double error = 0;      ///< standard error of log_value over launches; 0 when unknown
};

/// What one night did.
struct NightFinding {
  Level level = Level::unknown;  ///< after this night
  bool changed = false;          ///< the level is not that of the night before
  bool adopted = false;          ///< tonight an improvement became the baseline
  std::optional<double> score;   ///< distance from the median [noise]; nullopt: no baseline yet
};

/// Two-sided CUSUM (Page 1954) of clipped scores against a running baseline, with a practical
/// floor; one night at a time, with the memory of one baseline. Scores are whitened by the
/// baseline's autocorrelation rho, e = (z - rho z_before) / sqrt(1 - rho^2) (Alwan and Roberts
/// 1988), and the allowance is widened by half the standard error of the baseline, 1 / (2 sqrt(n)).
/// A change for the worse stays until the level is usual again, or restart(); one for the better
/// becomes the baseline after `adopt` nights.
class Detector {
 public:
  /// `worse` is higher or lower. InputError for parameters that are not positive.
  explicit Detector(const DetectorParameters& parameters, Level worse = Level::higher);

  /// InputError when the value is not finite.
  NightFinding observe(const NightInput& night);

  /// Forgets everything: the next nights make a new baseline, as after an accepted shift.
  void restart();

  [[nodiscard]] const Baseline& baseline() const { return baseline_; }
  [[nodiscard]] Level level() const { return level_; }

 private:
  double whitened(double score, std::int64_t gap);
  [[nodiscard]] double recent_shift() const;
  void accumulate(double innovation);
  [[nodiscard]] Level judged() const;
  void accept(double log_value);
  void adopt_or_wait(double log_value);
  void enter(Level level);

  DetectorParameters parameters_;
  Level worse_;
  Baseline baseline_;
  Level level_ = Level::unknown;
  double rise_ = 0;              ///< CUSUM upward
  double fall_ = 0;              ///< CUSUM downward
  double before_ = 0;            ///< clipped score of the night before
  std::vector<double> recent_;   ///< the last nights, oldest first
  std::vector<double> waiting_;  ///< to join the baseline; at another level: since it changed
};

}  // namespace hockney::health
