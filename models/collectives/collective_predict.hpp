#pragma once

#include <optional>

#include "models/collectives/collective_fit.hpp"

namespace hockney {

/// How a work lies to those that a model was fitted to.
struct Extrapolation {
  bool in_ranks = false;
  bool in_bytes = false;
  int most_ranks = 0;  ///< that were measured; 0 where none were
};

struct CollectivePrediction {
  double seconds = 0;
  /// [s]; nullopt for fewer than six launches. Over launches, and wider by the largest relative
  /// error on numbers of ranks that were held out (of the fit itself where none could be).
  std::optional<Interval> interval;
  std::optional<double> held_out;  ///< mean error on numbers of ranks not seen, as a fraction
  Extrapolation extrapolated;
};

/// nullopt where the chosen form has no time for this work.
std::optional<CollectivePrediction> predict(const CollectiveFit& fit, const Workload& work);

}  // namespace hockney
