#pragma once

#include <optional>

#include "models/collectives/collective_fit.hpp"

namespace hockney {

/// How a work lies to those that a model was fitted to.
struct Extrapolation {
  bool in_ranks = false;
  bool in_bytes = false;
};

struct CollectivePrediction {
  double seconds = 0;
  std::optional<Interval> interval;  ///< over launches [s]; nullopt for fewer than six
  std::optional<double> held_out;    ///< mean error on numbers of ranks not seen, as a fraction
  Extrapolation extrapolated;
};

/// nullopt where the chosen form has no time for this work.
std::optional<CollectivePrediction> predict(const CollectiveFit& fit, const Workload& work);

}  // namespace hockney
