#pragma once

#include <mpi.h>

#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "core/synchronisation.hpp"

namespace hockney {

/// Synchronises `times` times, each time anew by one pass of the tree, among the ranks of `comm`,
/// who read the same clock. What this rank found of the first one's clock each time; nothing on the
/// first. `comm` carries nothing else meanwhile. Collective.
std::vector<ClockSelfTest> check_clocks(MPI_Comm comm, TickClock& clock, int times);

/// The findings of all ranks in order of ranks, on rank 0; nothing elsewhere. Collective.
std::vector<ClockSelfTest> gather_findings(MPI_Comm comm, const std::vector<ClockSelfTest>& own);

}  // namespace hockney
