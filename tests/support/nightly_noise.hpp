#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hockney {

/// How the nights of one series differ from each other, in a world whose truth is known.
enum class NightlyNoise {
  gaussian,   ///< independent
  spiky,      ///< the same, and 5 % of the nights 10 to 50 % longer
  correlated  ///< AR(1) with autocorrelation 0.5 and the same variance
};

inline std::string name_of(NightlyNoise noise) {
  switch (noise) {
    case NightlyNoise::gaussian:
      return "gaussian";
    case NightlyNoise::spiky:
      return "spiky";
    case NightlyNoise::correlated:
      return "AR(0.5)";
  }
  return "";
}

/// A year of nights and what happens in it.
struct NightlyTruth {
  NightlyNoise noise = NightlyNoise::gaussian;
  double spread = 0.02;           ///< coefficient of variation
  std::size_t nights = 395;       ///< 30 for a baseline and a year
  std::size_t change_from = 395;  ///< first night of the new level
  double change = 0;              ///< ratio of the levels - 1
};

/// Values about 1, one for each night.
inline std::vector<double> synthetic_nights(const NightlyTruth& truth, std::mt19937_64& random) {
  constexpr double rho = 0.5;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> values(truth.nights);
  double state = normal(random);
  for (std::size_t i = 0; i < truth.nights; ++i) {
    const double fresh = normal(random);
    const bool correlated = truth.noise == NightlyNoise::correlated && i > 0;
    state = correlated ? rho * state + std::sqrt(1 - rho * rho) * fresh : fresh;
    double value = std::max(0.5, 1 + truth.spread * state);
    if (truth.noise == NightlyNoise::spiky && uniform(random) < 0.05) {
      value *= 1.1 + 0.4 * uniform(random);
    }
    values[i] = value * (i < truth.change_from ? 1 : 1 + truth.change);
  }
  return values;
}

}  // namespace hockney
