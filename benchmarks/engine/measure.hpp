#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/team.hpp"

namespace hockney {

/// Whose clock a sample comes from.
enum class Timing {
  first_rank,  ///< the initiator sees its operation begin and end: nobody's start skew is inside
  longest      ///< every rank starts from a barrier; the longest time of any rank counts
};

/// How the samples of one point are taken.
struct Sampling {
  Timing timing = Timing::first_rank;
  std::int64_t divisor = 1;  ///< operations in one iteration: 2 for a round trip
  std::int64_t batch = 1;    ///< iterations in one sample
  int samples = 1;           ///< samples in one visit
};

/// The time budget from which a sampling is chosen.
struct Pace {
  double shortest_sample_seconds = 0;  ///< a sample is at least this long, for the timer's sake
  double visit_seconds = 0;            ///< what one visit should take
  int most_samples = 100;              ///< a longer visit takes longer samples, not more
};

/// One sample must be a hundred times longer than what the clock itself costs or cannot see [s].
double shortest_sample(const Clock& clock);

/// Chooses batch and samples by running the operation in growing batches until one is long enough
/// to judge. Collective over the team, with the same pace on every rank; every rank gets the same
/// answer. A clock that stands still
/// gives batches of one.
Sampling calibrate(PreparedOperation& operation, Team& team, TickClock& clock, Sampling sampling,
                   const Pace& pace);

/// Takes the samples of one visit: seconds of one operation each. Collective over the team; the
/// answer is the same on every rank for Timing::longest, and on the first rank for the other.
/// One untimed iteration leads in, so that no sample holds the team's gathering.
std::vector<double> take_samples(PreparedOperation& operation, Team& team, TickClock& clock,
                                 const Sampling& sampling);

}  // namespace hockney
