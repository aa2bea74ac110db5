#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace hockney::health {

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

}  // namespace hockney::health
