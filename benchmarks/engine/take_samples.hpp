#pragma once

#include "benchmarks/engine/calibrate.hpp"
#include "benchmarks/engine/start.hpp"
#include "core/samples.hpp"

namespace hockney {

/// Takes the samples of one measurement block. It has these, the skew (median over the samples),
/// on request the ranks' own times (each from its own begin to its own end, median over the
/// samples), and how many starts some rank missed, which are repeated; the rest is the caller's.
/// Collective over the group, whose ranks share `clock`. Timed on the first rank, the answer is for
/// that rank, and ranks gather once, by an untimed iteration. Timed to the last rank, the answer is
/// the same on every rank: each sample lasts from the common start (the agreed time, or the first
/// rank's begin after a barrier) to the last rank's end.
MeasurementBlock take_samples(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                              const Sampling& sampling, StartSynchroniser& synchroniser);

}  // namespace hockney
