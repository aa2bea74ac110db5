#pragma once

#include <map>
#include <string>
#include <vector>

#include "campaign/signal_watch.hpp"
#include "core/units.hpp"

namespace hockney {

struct ProcessRequest {
  std::vector<std::string> arguments;              ///< [0] is the path of the program
  std::map<std::string, std::string> environment;  ///< added to the caller's own
  std::string log_file;                            ///< created anew; takes stdout and stderr
  Seconds limit{120};                              ///< then it is ended
  Seconds grace{5};                                ///< between SIGTERM and SIGKILL
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

}  // namespace hockney
