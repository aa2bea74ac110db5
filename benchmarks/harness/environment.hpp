#pragma once

#include <mpi.h>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/engine/clock.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// Version, git revision, compiler and flags of this build.
Build build_info();

/// A host as one text and back, to travel between ranks. RunError for a text that is none.
std::string pack(const Host& host);
Host unpack_host(const std::string& text);

/// Has this process killed (SIGKILL) when its parent process ends. Linux tells when the thread of
/// the parent ends that started this process (prctl(2), PR_SET_PDEATHSIG); while other threads of
/// it go on, nothing happens.
void end_with_parent();

/// How MPI began in this process.
struct LibraryStart {
  std::optional<int> thread_level;  ///< asked of MPI_Init_thread; nullopt: MPI_Init is called
  int provided = MPI_THREAD_SINGLE;
  double seconds = 0;  ///< of the call, by CLOCK_MONOTONIC_RAW
  std::optional<MemoryUse> memory_before;
  std::optional<MemoryUse> memory_after;
};

/// MPI from MPI_Init to MPI_Finalize; the outermost object of a program. Errors of MPI calls are
/// taken (take_mpi_errors, mpi_error.hpp) instead of ending the program.
class MpiEnvironment {
 public:
  MpiEnvironment(int& argc, char**& argv);
  /// Begins as `start` says, and notes there how it went.
  MpiEnvironment(int& argc, char**& argv, LibraryStart& start);
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
  MpiEnvironment(MpiEnvironment&&) = delete;
  MpiEnvironment& operator=(MpiEnvironment&&) = delete;
  ~MpiEnvironment();

  /// Ends MPI before this ends; the time of MPI_Finalize [s].
  double finalize();

 private:
  static void prepare();

  bool is_over_ = false;
};

/// MPI's tools interface (MPI_T) as long as it lives.
class ToolsInterface {
 public:
  ToolsInterface();
  ToolsInterface(const ToolsInterface&) = delete;
  ToolsInterface& operator=(const ToolsInterface&) = delete;
  ToolsInterface(ToolsInterface&&) = delete;
  ToolsInterface& operator=(ToolsInterface&&) = delete;
  ~ToolsInterface();
  /// False where the library has none.
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  bool ready_ = false;
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

}  // namespace hockney::benchmarks
