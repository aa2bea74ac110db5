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

/// Publishes, while it lives, the point that this process measures. At most one for each rank:
/// those of a simulator, which are one process, publish the latest.
class CurrentPoint {
 public:
  explicit CurrentPoint(const Point& point);
  CurrentPoint(const CurrentPoint&) = delete;
  CurrentPoint& operator=(const CurrentPoint&) = delete;
  CurrentPoint(CurrentPoint&&) = delete;
  CurrentPoint& operator=(CurrentPoint&&) = delete;
  ~CurrentPoint();
};

/// The text of the current point; empty between points. A signal handler may call it.
std::string_view current_point();

/// Whether this rank prints why a program ended.
enum class ErrorPrinter { yes, no };

/// Ends this process with exit code 3 if a program takes too long, even inside an MPI call that
/// never returns. The kernel's timer sends one signal when the limit has passed, and nothing
/// before. Loops test has_passed() and end normally. After the grace period the process is ended,
/// with a line that names the current point, and its --leave-out if the program has that option. At
/// most one limit for each rank: those of a simulator, which are one process, share the first.
class TimeLimit {
 public:
  static constexpr Seconds usual_grace{10};

  TimeLimit(Seconds limit, ErrorPrinter printer, Seconds grace = usual_grace,
            bool has_leave_out = false);
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  TimeLimit(TimeLimit&&) = delete;
  TimeLimit& operator=(TimeLimit&&) = delete;
  ~TimeLimit();

  /// Sets the remaining time to `limit`, for `subject`, which the message names. No effect without
  /// a TimeLimit.
  static void restart(Seconds limit, const std::string& subject = "the launch");
  /// Adds a minute for later work once the limit has passed.
  static void spare();
  /// Sets the file with the results so far, which the line names.
  static void keeps(const std::string& file);
  static bool has_passed();
  /// The message for a passed limit: "the launch took longer than its limit of 2 s".
  static std::string words();
};

/// Version, git revision, compiler and flags of this build.
Build build_info();

/// Converts a host to a text and back, for messages between ranks. RunError for an invalid text.
std::string pack(const Host& host);
Host unpack_host(const std::string& text);

/// Has this process killed (SIGKILL) when its parent process ends. Linux sends the signal when that
/// thread of the parent ends which started this process (prctl(2), PR_SET_PDEATHSIG). If other
/// threads of the parent still run, the signal has no effect.
void end_with_parent();

/// How MPI was initialised in this process.
struct LibraryStart {
  std::optional<int> thread_level;  ///< requested of MPI_Init_thread; nullopt: MPI_Init
  int provided = MPI_THREAD_SINGLE;
  double seconds = 0;  ///< duration of the call, by CLOCK_MONOTONIC_RAW
  std::optional<MemoryUse> memory_before;
  std::optional<MemoryUse> memory_after;
};

/// MPI from MPI_Init to MPI_Finalize; the outermost object of a program. An error handler replaces
/// MPI's default, which ends the program (take_mpi_errors, mpi_objects.hpp).
class MpiEnvironment {
 public:
  MpiEnvironment(int& argc, char**& argv);
  /// Initialises MPI as `start` requests, and writes the results into it.
  MpiEnvironment(int& argc, char**& argv, LibraryStart& start);
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
  MpiEnvironment(MpiEnvironment&&) = delete;
  MpiEnvironment& operator=(MpiEnvironment&&) = delete;
  ~MpiEnvironment();

  /// Finalises MPI early; returns the duration of MPI_Finalize [s].
  double finalize();

 private:
  static void prepare();

  bool is_over_ = false;
};

/// MPI's tools interface (MPI_T), initialised while this object lives.
class ToolsInterface {
 public:
  ToolsInterface();
  ToolsInterface(const ToolsInterface&) = delete;
  ToolsInterface& operator=(const ToolsInterface&) = delete;
  ToolsInterface(ToolsInterface&&) = delete;
  ToolsInterface& operator=(ToolsInterface&&) = delete;
  ~ToolsInterface();
  /// False if the library has no tools interface.
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

/// First line of MPI_Get_library_version, with the device it names: "MPICH Version: 4.0.2,
/// ch4:ucx".
std::string mpi_library();

/// Whether MPI is the simulator SMPI: only MPI_Wtime advances there, and spinning never ends.
bool is_simulated();

/// CLOCK_MONOTONIC_RAW, or MPI_Wtime under a simulator.
std::unique_ptr<TickClock> make_clock();

/// MPI_Wtime, the clock of other suites. Their times include the cost of its readings.
std::unique_ptr<TickClock> make_suite_clock();

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

/// Every control variable that the MPI library shows through MPI_T. With its effective value if it
/// can be read without an object, and the permitted values if the library lists them. Empty without
/// MPI_T (SMPI).
std::vector<ControlVariable> control_variables();

/// The MPI library of this process: name, standard and MPI_T control variables that can be read
/// without an object, with effective values. Also the settings that the environment requests, and
/// whether they took effect. No settings without MPI_T (SMPI).
MpiLibrary describe_mpi();

}  // namespace hockney::benchmarks
