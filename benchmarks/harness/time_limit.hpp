#pragma once

#include <string>

#include "core/units.hpp"

namespace hockney::benchmarks {

/// Whether this rank prints why a program ended.
enum class Speaker { yes, no };

/// Ends this process with exit code 3 where a program takes too long, whatever it does then: it may
/// be inside an MPI call that never returns. The kernel's timer sends one signal when time is up,
/// and nothing before. Loops test has_passed() and end in order. After the grace period the process
/// is ended, with a line that names the point under way. One limit at a time in a process.
class TimeLimit {
 public:
  TimeLimit(Seconds limit, Speaker speaker, Seconds grace = Seconds{10});
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  TimeLimit(TimeLimit&&) = delete;
  TimeLimit& operator=(TimeLimit&&) = delete;
  ~TimeLimit();

  /// So much more time from now on, in place of what is left, for `subject`, which is named when it
  /// has passed. Nothing without a limit.
  static void restart(Seconds limit, const std::string& subject = "the launch");
  /// A minute more for what follows, once it has passed.
  static void spare();
  /// Where what was measured so far is, for the line.
  static void keeps(const std::string& file);
  static bool has_passed();
  /// What to print when it has passed: "the launch took longer than its limit of 2 s".
  static std::string words();
};

}  // namespace hockney::benchmarks
