#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/launch_command.hpp"
#include "core/atomic_file.hpp"
#include "core/quantities.hpp"

namespace hockney::campaign {

/// While it lives, SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGCHLD do not strike but wait to
/// be asked for, so no handler and no global is needed. All but the last ask the program to end,
/// also those that batch systems are told to send some time before a job's (sbatch
/// --signal=USR1@60). A SIGHUP the caller ignores (nohup) stays ignored. One at a time, in a
/// program of one thread.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  SignalWatch(SignalWatch&&) = delete;
  SignalWatch& operator=(SignalWatch&&) = delete;
  ~SignalWatch();

  /// Waits for the next of the signals; nullopt when `limit` passes first. A signal that asks the
  /// program to end is remembered.
  std::optional<int> wait(Seconds limit);

  /// Whether the signal that came last is from the terminal, which sends it to all processes of its
  /// foreground group.
  [[nodiscard]] bool came_from_terminal() const { return came_from_terminal_; }

  /// The signal that asked the program to end, if one did; never waits.
  std::optional<int> end_requested();

  /// The mask and the disposition as they were before, for a child about to run another program.
  void restore_for_child() const;

 private:
  sigset_t watched_{};
  sigset_t mask_before_{};
  struct sigaction child_before_ {};
  std::optional<int> end_requested_;
  bool came_from_terminal_ = false;
};

/// The processes below `ancestor`, itself excluded, zombies included, as /proc shows them now.
std::vector<pid_t> descendants(pid_t ancestor);

/// Reaps everything below the calling process, and kills (SIGKILL) what is there after `patience`,
/// until nothing is left, or `limit` has passed because a process hangs in the kernel. The caller
/// must be a child subreaper (PR_SET_CHILD_SUBREAPER), or processes whose parent died have escaped
/// already. Returns how many processes had to be killed.
int kill_descendants(Seconds limit, Seconds patience);

/// How the launcher ended, told by its guardian.
struct GuardianReport {
  int wait_status = 0;  ///< of the launcher, as waitpid(2) gives it
  int strays = 0;       ///< processes that outlived the launcher and were killed
};

/// What a guardian needs to know.
struct Guarded {
  char* const* arguments = nullptr;    ///< of the launcher, null-terminated; [0] is its path
  char* const* environment = nullptr;  ///< null-terminated NAME=value
  int log = -1;                        ///< takes the launcher's stdout and stderr
  int report = -1;                     ///< pipe end that takes one GuardianReport
  Seconds grace{5};                    ///< from SIGTERM to SIGKILL
};

/// The life of the process that stands between the driver and a launcher: it becomes leader of its
/// own session, adopts whatever loses its parent below it, starts the launcher, and once that has
/// ended kills every process still there, in whatever process group (Open MPI gives each rank its
/// own). SIGTERM makes it end the launcher: SIGTERM to its group, SIGKILL to everything after the
/// grace, or at once on a second SIGTERM. It does so by itself when the driver dies, however that
/// happens; the end of the driver's thread that called fork(2) is not enough. Called in a fresh
/// child of the driver, with the signals of `signals` blocked.
[[noreturn]] void guard(const Guarded& launch, pid_t driver, SignalWatch& signals);

/// What the keeper of a scratch folder needs to know.
struct KeptFolder {
  std::string pattern;  ///< its path, as mkdtemp(3) takes it
  int path = -1;        ///< pipe end that takes the path
  int owners = -1;      ///< pipe end that ends when the owner and its guardians have
};

/// The life of the process that makes a scratch folder and removes it when its owners have ended,
/// however that happens: SIGKILL leaves no folder behind. It is leader of its own session and
/// ignores the signals that end a job. Exits with the errno of a folder that cannot be made. Called
/// in a fresh child of the owner.
[[noreturn]] void keep_folder(KeptFolder folder) noexcept;

struct ProcessRequest {
  Command command;                       ///< arguments[0] is the path of the program
  std::string log_file;                  ///< created anew; takes stdout and stderr
  Seconds limit{120};                    ///< then it is ended
  Seconds grace{5};                      ///< between SIGTERM and SIGKILL
  std::function<void(Seconds)> watch{};  ///< told every `between` how long it runs; may be empty
  Seconds between{5};
};

/// Why a process is no more. `timed_out` and `interrupted` say that we ended it.
enum class ProcessEnd { exited, killed, timed_out, interrupted };

struct ProcessOutcome {
  ProcessEnd end = ProcessEnd::exited;
  int exit_code = 0;  ///< when it exited
  int signal = 0;     ///< that killed it, when it was killed
  int strays = 0;     ///< processes that outlived it and were killed
  Seconds duration{};
};

/// Runs a program to its end under a guardian of its own, with stdin from
/// /dev/null. Whatever happens, to the program or to the caller, nothing it started is left running
/// on this machine. A signal to end (`signals`) ends it early. A program that cannot be executed
/// exits with 127 and says so in the log. RunError when the log or a process cannot be made.
ProcessOutcome run_process(const ProcessRequest& request, SignalWatch& signals);

/// What a program printed within `limit`; RunError when a signal to end came meanwhile.
std::string output_of(const std::vector<std::string>& arguments, Seconds limit);

/// Pointers as execve(2) wants them; the texts must outlive the list.
std::vector<char*> null_terminated(std::vector<std::string>& texts);

/// All that is in a log; empty when there is none.
std::string log_text(const std::string& log_file);

/// The last `count` lines of a log that say something (neither blank nor a ruler), each cut to
/// `longest` characters and free of control characters; empty when there is no log. What the
/// launcher says, between rulers or in its own name, counts only when the program itself said
/// nothing.
std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest = 200);

/// A new folder below another, that for temporary files where none is named, which goes away with
/// its content, however this program ends (keep_folder). RunError when it cannot be made.
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
  FileDescriptor owner_;  ///< open as long as this program and its guardians run
  pid_t keeper_ = -1;
  std::string path_;
};

}  // namespace hockney::campaign
