#pragma once

#include <sys/types.h>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "application/where/whereabouts.hpp"

namespace hockney::where {

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
