#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks::programs {

/// What came of MPI_Comm_spawn.
struct Spawned {
  double seconds = 0;                   ///< of the call after a barrier, on the slowest rank
  std::optional<std::string> obstacle;  ///< why there is no time
  bool is_good = true;                  ///< as many processes were started as were asked for
};

/// Starts so many more processes of this program, which end at once, by MPI_Comm_spawn of all
/// ranks. Collective.
Spawned spawn(MPI_Comm comm, int processes, TickClock& clock);

/// Whether this process is one that spawn() started.
bool is_spawned(int argc, const char* const* argv);

/// All that such a process does; its exit code.
int run_spawned(int argc, char** argv);

}  // namespace hockney::benchmarks::programs
