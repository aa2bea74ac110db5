#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
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
  SignalWatch(SignalWatch&&) = delete;
  SignalWatch& operator=(SignalWatch&&) = delete;
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

/// The descendants of `ancestor` in /proc, zombies included.
std::vector<pid_t> descendants(pid_t ancestor);

/// The end of the launcher, as its guardian reports it.
struct GuardianReport {
  int wait_status = 0;  ///< of the launcher, as waitpid(2) gives it
  int strays = 0;       ///< processes that outlived the launcher and were killed
};

/// Parameters of a guardian.
struct Guarded {
  char* const* arguments = nullptr;    ///< of the launcher, null-terminated; [0] is its path
  char* const* environment = nullptr;  ///< null-terminated NAME=value
  int log = -1;                        ///< takes the launcher's stdout and stderr
  int report = -1;                     ///< pipe end that takes one GuardianReport
  Seconds grace{5};                    ///< from SIGTERM to SIGKILL
};

/// Runs the guardian, the process between the driver and a launcher. It leads a new session, adopts
/// orphaned descendants, and starts the launcher. When the launcher has ended, it kills every
/// remaining process in any process group (Open MPI gives each rank one).
/// On SIGTERM it ends the launcher: SIGTERM to its group, then SIGKILL to all after the grace, or
/// at once on a second SIGTERM. It does the same when the driver dies in any way; the end of the
/// driver's thread that called fork(2) is not enough. Call it in a new child of the driver, with
/// the signals of `signals` blocked.
[[noreturn]] void guard(const Guarded& launch, pid_t driver, SignalWatch& signals);

/// Parameters of the keeper of a scratch folder.
struct KeptFolder {
  std::string pattern;  ///< its path, as mkdtemp(3) takes it
  int path = -1;        ///< pipe end that takes the path
  int owners = -1;      ///< pipe end that reads EOF once the owner and its guardians have ended
};

/// Runs the process that creates a scratch folder and removes it when its owners have ended. The
/// folder is removed even after SIGKILL of the owner. The process leads a new session and ignores
/// the signals that end a job. If the folder cannot be created, it exits with errno. Call it in a
/// new child of the owner.
[[noreturn]] void keep_folder(KeptFolder folder) noexcept;

struct ProcessRequest {
  Command command;                       ///< arguments[0] is the path of the program
  std::string log_file;                  ///< created anew; takes stdout and stderr
  Seconds limit{120};                    ///< maximum duration
  Seconds grace{5};                      ///< between SIGTERM and SIGKILL
  std::function<void(Seconds)> watch{};  ///< gets the elapsed time every `between`; may be empty
  Seconds between{5};
};

/// How a process ended. `timed_out` and `interrupted`: ended by us.
enum class ProcessEnd { exited, killed, timed_out, interrupted };

struct ProcessOutcome {
  ProcessEnd end = ProcessEnd::exited;
  int exit_code = 0;  ///< if it exited
  int signal = 0;     ///< that killed it, if any
  int strays = 0;     ///< processes that outlived it and were killed
  Seconds duration{};
};

/// Runs a program to its end under a guardian, with stdin from /dev/null. Leaves no process of it
/// running on this machine, even if the caller is killed. A signal that requests the end
/// (`signals`) ends it early. If the program cannot be executed, the exit code is 127 and the log
/// has the error. RunError if the log or a process cannot be created.
ProcessOutcome run_process(const ProcessRequest& request, SignalWatch& signals);

/// The output of a program that runs for at most `limit`; RunError if a signal requests the end
/// meanwhile.
std::string output_of(const std::vector<std::string>& arguments, Seconds limit);

/// Pointers for execve(2); the texts must outlive the list.
std::vector<char*> null_terminated(std::vector<std::string>& texts);

/// The content of a log; empty if it does not exist.
std::string log_text(const std::string& log_file);

/// The last `count` lines of a log, without blank lines and rulers. Each is cut to `longest`
/// characters and has no control characters. Empty if the log does not exist. Lines of the
/// launcher, between rulers or with its name, are used only if the program printed none.
std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest = 200);

/// A new folder below `parent`, by default the folder for temporary files. It is removed with its
/// content, however this program ends (keep_folder). RunError if it cannot be created.
class ScratchFolder {
 public:
  ScratchFolder();
  explicit ScratchFolder(const std::string& parent);
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder(ScratchFolder&&) = delete;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  FileDescriptor owner_;  ///< open while this program and its guardians run
  pid_t keeper_ = -1;
  std::string path_;
};

}  // namespace hockney::campaign
