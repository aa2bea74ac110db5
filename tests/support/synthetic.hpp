#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace hockney {

/// Random numbers that are the same with every standard library, unlike std::normal_distribution.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53; }

  /// Standard normal (Box and Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// A stationary AR(1) series with standard normal margins: x_i = r x_{i-1} + sqrt(1-r^2) e_i.
  std::vector<double> autoregressive(std::size_t n, double correlation) {
    std::vector<double> series(n);
    double state = normal();
    for (double& value : series) {
      value = state;
      state = correlation * state + std::sqrt(1 - correlation * correlation) * normal();
    }
    return series;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace hockney
