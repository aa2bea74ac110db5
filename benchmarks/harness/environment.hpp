#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/point.hpp"
#include "core/provenance.hpp"
#include "core/quantities.hpp"
#include "core/settings.hpp"

namespace hockney::benchmarks {

/// "bcast ranks=2 at 8 bytes".
std::string point_words(const Point& point);

/// Says, while it lives, what this process measures. One at a time in a process.
class PointUnderWay {
 public:
  explicit PointUnderWay(const Point& point);
  PointUnderWay(const PointUnderWay&) = delete;
  PointUnderWay& operator=(const PointUnderWay&) = delete;
  PointUnderWay(PointUnderWay&&) = delete;
  PointUnderWay& operator=(PointUnderWay&&) = delete;
  ~PointUnderWay();
};

/// Its words; empty between points. May be called in a signal handler.
std::string_view point_under_way();

/// Whether this rank prints why a program ended.
enum class Speaker { yes, no };

/// Ends this process with exit code 3 where a program takes too long, whatever it does then: it may
/// be inside an MPI call that never returns. The kernel's timer sends one signal when time is up,
/// and nothing before. Loops test has_passed() and end in order. After the grace period the process
/// is ended, with a line that names the point under way. One limit at a time in a process.
class TimeLimit {
 public:
  TimeLimit(Seconds limit, Speaker speaker, Seconds grace = Seconds{10});
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  TimeLimit(TimeLimit&&) = delete;
  TimeLimit& operator=(TimeLimit&&) = delete;
  ~TimeLimit();

  /// So much more time from now on, in place of what is left, for `subject`, which is named when it
  /// has passed. Nothing without a limit.
  static void restart(Seconds limit, const std::string& subject = "the launch");
  /// A minute more for what follows, once it has passed.
  static void spare();
  /// Where what was measured so far is, for the line.
  static void keeps(const std::string& file);
  static bool has_passed();
  /// What to print when it has passed: "the launch took longer than its limit of 2 s".
  static std::string words();
};

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
/// taken (take_mpi_errors, mpi_objects.hpp) instead of ending the program.
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

/// Every control variable that the MPI library shows through MPI_T, with the value in force where
/// it can be read without an object, and the values it may have where the library tells. Empty
/// where MPI_T is missing (SMPI).
std::vector<ControlVariable> control_variables();

/// The MPI library of this process: name, standard, every control variable that MPI_T lets us read
/// without an object, with the value in force, and what became of what the environment asks for. No
/// settings where MPI_T is missing (SMPI).
MpiLibrary describe_mpi();

}  // namespace hockney::benchmarks
