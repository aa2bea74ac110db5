#pragma once

#include <cstddef>
#include <vector>

namespace hockney {

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

}  // namespace hockney
