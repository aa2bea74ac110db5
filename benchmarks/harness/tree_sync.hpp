#pragma once

#include <mpi.h>

#include <optional>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/clock_model.hpp"
#include "core/synchronisation.hpp"

namespace hockney {

/// How often and how far apart the offsets are measured, and how long the result is to hold.
struct Lessons {
  int passes = 3;
  double pause_seconds = 0;
  double horizon_seconds = 0;
};

/// What this rank learns of the clock of rank 0 of `comm` over HCA3's tree; nullopt when it could
/// not. `comm` carries nothing else meanwhile. Collective.
std::optional<ClockModel> learn_clock(MPI_Comm comm, TickClock& clock, const Lessons& lessons);

/// What a rank found of a clock that is the same as its own, whose truth is 0.
ClockSelfTest judge_finding(const std::optional<ClockModel>& model, const TickClock& clock);

/// Of what the ranks found the worst, as its estimate exceeds its bound; failed tests come first.
/// nullopt when nobody found anything. The same on every rank. Collective.
std::optional<ClockSelfTest> worst_of(MPI_Comm comm, const std::optional<ClockSelfTest>& own);

}  // namespace hockney
