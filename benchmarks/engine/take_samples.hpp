#pragma once

#include <optional>
#include <vector>

#include "benchmarks/engine/calibrate.hpp"
#include "benchmarks/engine/start.hpp"

namespace hockney {

/// What one visit brought.
struct Taken {
  std::vector<double> samples_seconds;  ///< of one operation each
  std::optional<double> skew_seconds;   ///< median over samples: last rank's begin - first rank's
  /// Of each rank, from its own begin to its own end, median over the samples; on request.
  std::vector<double> locals_seconds;
  int late = 0;  ///< starts that some rank missed; repeated, not counted

  friend bool operator==(const Taken&, const Taken&) = default;
};

/// Takes the samples of one visit. Collective over the team, whose ranks share `clock`. Timed on
/// the first rank, the answer is for that rank, and ranks gather once, by an untimed iteration.
/// Timed to the last rank, the answer is the same on every rank: each sample lasts from the common
/// start (the agreed time, or the first rank's begin after a barrier) to the last rank's end.
Taken take_samples(PreparedOperation& operation, Team& team, TickClock& clock,
                   const Sampling& sampling, Starter& starter);

}  // namespace hockney
