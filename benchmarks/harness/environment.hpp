#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "benchmarks/engine/clock.hpp"

namespace hockney {

/// MPI from MPI_Init to MPI_Finalize; the outermost object of a program. Errors of MPI calls are
/// returned, for mpi_check, instead of ending the program.
class MpiEnvironment {
 public:
  MpiEnvironment(int& argc, char**& argv);
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
  MpiEnvironment(MpiEnvironment&&) = delete;
  MpiEnvironment& operator=(MpiEnvironment&&) = delete;
  ~MpiEnvironment();
};

/// First line of MPI_Get_library_version, and the device that it names: "MPICH Version: 4.0.2,
/// ch4:ucx".
std::string mpi_library();

/// Whether MPI is the simulator SMPI, where only MPI_Wtime moves and spinning never ends.
bool is_simulated();

/// CLOCK_MONOTONIC_RAW, or MPI_Wtime under a simulator.
std::unique_ptr<TickClock> make_clock();

/// MPI_Wtime, the clock of other suites: what a reading of it costs is inside their times.
std::unique_ptr<TickClock> make_suite_clock();

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

}  // namespace hockney
