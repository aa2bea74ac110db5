#pragma once

#include <stdexcept>
#include <string>

namespace hockney {

/// Exit codes of hockney's programs.
enum class ExitCode {
  good = 0,
  verdict_failed = 1,
  bad_input = 2,
  run_failed = 3,
  no_verdict = 4,
  point_died = 5  ///< all else is measured
};

/// The three parts of every message. `why` and `suggestion` may be empty.
struct Message {
  std::string problem;
  std::string why;
  std::string suggestion;
};

/// The one line that people read: `<problem> (<why>) <suggestion>`.
std::string to_line(const Message& message);

/// An exception with the exit code of the program; `what()` is the line that people read.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const Message& message)
      : std::runtime_error(to_line(message)), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The user's options, files or data are wrong; nothing was measured.
class InputError : public Error {
 public:
  explicit InputError(const Message& message) : Error(ExitCode::bad_input, message) {}
};

/// The input was right, but the run failed.
class RunError : public Error {
 public:
  explicit RunError(const Message& message) : Error(ExitCode::run_failed, message) {}
};

}  // namespace hockney
