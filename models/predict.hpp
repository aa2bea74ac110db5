#pragma once

#include <optional>

#include "core/units.hpp"
#include "models/fit.hpp"

namespace hockney {

/// Where a size lies in relation to what was measured.
enum class Region { inside, between_segments, below_domain, above_domain };

struct Prediction {
  double seconds = 0;
  Region region = Region::inside;
  /// Between two segments: the upper one's line [s]. The change lies somewhere between the measured
  /// sizes, so either may hold; `seconds` is the lower one's, which protocols keep up to a limit.
  std::optional<double> upper_seconds;

  /// Whether the model is asked for a size outside what it was fitted to.
  [[nodiscard]] bool extrapolated() const {
    return region == Region::below_domain || region == Region::above_domain;
  }
};

/// The model's time at a size of at least 0 bytes; outside the domain the nearest segment's line.
Prediction predict(const Fit& fit, Bytes size);

}  // namespace hockney
