#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/quantities.hpp"
#include "driver/campaign/launch_command.hpp"

namespace hockney::campaign {

/// Blocks SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGCHLD during its lifetime. wait()
/// receives them, so no handler and no global is needed. All but SIGCHLD request the end of the
/// program; batch systems can send them shortly before a job's end (sbatch --signal=USR1@60). A
/// SIGHUP that the caller ignores (nohup) stays ignored. At most one object, in a program of one
/// thread.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  /// Waits for the next of the signals; nullopt after `limit`. A signal that requests the end is
  /// remembered.
  std::optional<int> wait(Seconds limit);

  /// Whether the last signal came from the terminal, which sends it to its whole foreground group.
  [[nodiscard]] bool came_from_terminal() const { return came_from_terminal_; }

  /// The signal that requested the end, if any; does not wait.
  std::optional<int> end_requested();

  /// Restores the former mask and disposition in a child that will execute another program.
  void restore_for_child() const;

 private:
  sigset_t watched_{};
  sigset_t mask_before_{};
  struct sigaction child_before_ {};
  std::optional<int> end_requested_;
  bool came_from_terminal_ = false;
};

/// How a process ended. `timed_out` and `interrupted`: ended by us.
enum class ProcessEnd { exited, killed, timed_out, interrupted };

struct ProcessOutcome {
  ProcessEnd end = ProcessEnd::exited;
  int exit_code = 0;  ///< if it exited; 127 if the program cannot be executed
  int signal = 0;     ///< that killed it, if any
  int strays = 0;     ///< processes that outlived it and were killed
  Seconds duration{};

  [[nodiscard]] bool succeeded() const { return end == ProcessEnd::exited && exit_code == 0; }
};

struct ProcessRequest {
  Command command;
  std::string log_file;                  ///< created anew; takes stdout and stderr
  Seconds limit{120};                    ///< maximum duration
  Seconds grace{5};                      ///< between SIGTERM and SIGKILL
  std::function<void(Seconds)> watch{};  ///< gets the elapsed time every `between`; may be empty
  Seconds between{5};
};

/// Runs a program to its end under a guardian, with stdin from /dev/null. Leaves no process of it
/// running on this machine, even if the caller is killed. A signal that requests the end
/// (`signals`) ends it early. If the program cannot be executed, the log has the error. RunError if
/// the log or a process cannot be created.
ProcessOutcome run_process(const ProcessRequest& request, SignalWatch& signals);

struct CapturedRun {
  ProcessOutcome outcome;
  std::string output;  ///< stdout and stderr
};

/// Runs a program under a guardian for at most `limit`; RunError if a signal requests the end
/// meanwhile.
CapturedRun capture(const Command& command, Seconds limit);

/// A running program with the stdin, stdout and stderr of this process. In the terminal's
/// foreground group it stays there, to read from the terminal. Otherwise it has a group of its own,
/// and gets `at_death` if this process dies. A second signal makes launchers kill their ranks at
/// once, before these can save their data. So each signal reaches the program once, even if a
/// terminal or timeout(1) sends it to the whole process group.
class RunningProgram {
 public:
  /// If the program cannot be executed, stderr has the error. RunError if there is no process.
  RunningProgram(const Command& command, SignalWatch& signals, int at_death = SIGTERM);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  /// Ends it by SIGTERM, and after two seconds by SIGKILL.
  ~RunningProgram();

  [[nodiscard]] pid_t id() const { return id_; }

  /// Waits for its end or a signal, which is forwarded, at most for `limit`. nullopt if it runs.
  std::optional<ProcessOutcome> wait(Seconds limit);

 private:
  std::optional<ProcessOutcome> outcome();
  void forward(int signal);

  SignalWatch& signals_;
  bool is_foreground_;
  int forwarded_ = 0;  ///< last forwarded signal
  std::chrono::steady_clock::time_point forwarded_at_{};
  pid_t id_;  ///< 0 once it has ended
  ProcessOutcome outcome_;
};

/// A pipe that programs do not inherit. RunError if none can be made.
struct Pipe {
  Pipe();

  FileDescriptor out;
  FileDescriptor in;
};

}  // namespace hockney::campaign
