#pragma once

#include <limits>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/team.hpp"

namespace hockney {

/// Times a fixed piece of work without memory and without MPI [s]: a few microseconds of simple
/// arithmetic that keeps a core's issue slots full. Whoever else runs on the core at that moment,
/// be it a process or a neighbour of this virtual machine on the sibling thread, makes it slower,
/// as does a lower frequency. Taken beside every visit, it tells what the machine did from what MPI
/// did.
double time_control(TickClock& clock);

/// Waits for moments when nobody else is at work on the CPUs of a team.
class CalmWatch {
 public:
  /// Takes controls, all ranks at the same time, until the slowest rank's is calm
  /// (core/counted.hpp) compared with the calmest so far, or `patience_seconds` are over. The last
  /// control [s], the same on every rank. Collective over the team.
  double wait(Team& team, TickClock& clock, double patience_seconds);

 private:
  double calmest_seconds_ = std::numeric_limits<double>::max();
};

}  // namespace hockney
