#pragma once

#include "core/distributions.hpp"

namespace hockney {

/// The quantile `q` of how often an event of this probability comes about in n trials.
inline double quantile_of(int n, double probability, double q) {
  return binomial_quantile(n, probability, q);
}

/// What chance passes once in a thousand times.
inline int at_most(int n, double probability) {
  return static_cast<int>(quantile_of(n, probability, 1 - 1e-3));
}

/// What chance stays below once in a thousand times.
inline int at_least(int n, double probability) {
  return static_cast<int>(quantile_of(n, probability, 1e-3));
}

}  // namespace hockney
