#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "health/detection/baseline.hpp"

namespace hockney::health {

/// How the detector judges. docs/health.md has the error rates of the defaults, and where they are
/// from. Heights are in robust standard deviations of the baseline.
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
