#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "application/where/whereabouts.hpp"
#include "core/quantities.hpp"

namespace hockney::where {

/// Where the calling thread may run, where it is, and where memory goes that it touches first.
/// RunError when the kernel does not tell its affinity.
ThreadPlace place_of_this_thread();

/// The same of every thread of a parallel region, by number; of one thread where this was built
/// without OpenMP.
std::vector<ThreadPlace> places_of_threads();

/// The file that these threads come from, "libgomp.so.1"; empty where there is none.
std::string openmp_runtime();

/// Lets the calling thread run wherever the job may.
void free_this_process();

/// Variable in which the CPUs are handed on that a rank might use where it was started and behind
/// each wrapper: "0-1;0".
inline constexpr const char* started_variable = "HOCKNEY_WHERE_STARTED_ON";

/// This rank without its threads: its number and host, the variables of OpenMP and the CPUs that it
/// was started on. RunError where no launcher has started it.
RankPlace begin_part();

/// Leaves the part of this rank in a folder; the first rank of a node leaves that of the node, too,
/// which lets this process run anywhere.
void leave_parts(const RankPlace& place, const std::string& folder);

/// The exit code of a step of the probe; an error is one line on stderr.
int exit_code_of(int (&step)(std::span<char*>), std::span<char*> arguments);

/// A program that this process started, and ends on leaving the scope: by SIGTERM, and after two
/// seconds by SIGKILL.
class StartedProgram {
 public:
  /// `words` end with a null. RunError when it cannot be started.
  explicit StartedProgram(std::span<char*> words);
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;
  StartedProgram(StartedProgram&&) = delete;
  StartedProgram& operator=(StartedProgram&&) = delete;
  ~StartedProgram();

  /// Where its threads are at work, when most of them are, until it ends or for so long. RunError
  /// where it ended before any was seen.
  std::vector<ThreadPlace> watch_threads(Seconds limit);

 private:
  bool has_ended();

  pid_t process_ = -1;
  bool has_ended_ = false;
};

}  // namespace hockney::where
