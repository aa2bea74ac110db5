#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "components/application/where/rank_bindings.hpp"
#include "core/quantities.hpp"

namespace hockney::where {

/// Allowed CPUs of the calling thread, its current CPU, and the NUMA node of a newly touched page.
/// RunError if the affinity cannot be read.
ThreadPlace place_of_this_thread();

/// The same for every thread of an OpenMP parallel region, by number; for one thread if this was
/// built without OpenMP.
std::vector<ThreadPlace> places_of_threads();

/// File name of the OpenMP runtime, "libgomp.so.1"; empty without one.
std::string openmp_runtime();

/// Variable with the CPUs that a rank might use at its start and after each wrapper: "0-1;0".
inline constexpr const char* started_variable = "HOCKNEY_WHERE_STARTED_ON";

/// This rank without its threads: number, host, OpenMP variables, limits of CPU time, and the CPUs
/// at its start. `program`: the index of its program. RunError if no launcher has started it.
RankPlace begin_part(int program);

/// Writes the part of this rank to a folder. The first rank of a node also writes the node's part,
/// and loses its own binding.
void leave_parts(const RankPlace& place, const std::string& folder);

/// Runs a step of the probe and returns its exit code; prints an error as one line on stderr.
int exit_code_of(int (&step)(std::span<char*>), std::span<char*> arguments);

/// A program started by this process. The destructor ends it by SIGTERM, and after two seconds by
/// SIGKILL.
class StartedProgram {
 public:
  /// `words` end with a null pointer. RunError if the program cannot be started.
  explicit StartedProgram(std::span<char*> words);
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;
  StartedProgram(StartedProgram&&) = delete;
  StartedProgram& operator=(StartedProgram&&) = delete;
  ~StartedProgram();

  /// Places of its threads while most of them are at work. Watches until the program ends, at most
  /// for `limit`. RunError if the program ended before the first sample.
  std::vector<ThreadPlace> watch_threads(Seconds limit);

 private:
  bool has_ended();

  pid_t process_ = -1;
  bool has_ended_ = false;
};

}  // namespace hockney::where
