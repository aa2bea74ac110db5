#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "campaign/launch_command.hpp"
#include "campaign/signal_watch.hpp"
#include "core/file_descriptor.hpp"
#include "core/units.hpp"

namespace hockney::campaign {

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

/// Runs a program to its end under a guardian of its own (campaign/guardian.hpp), with stdin from
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
