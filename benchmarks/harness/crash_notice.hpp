#pragma once

namespace hockney::benchmarks {

/// While it lives, a process that dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT prints two
/// lines: the current point (current_point) with its --leave-out, if the program has that option;
/// and the library. Earlier handlers, such as Open MPI's, which prints a backtrace, run afterwards.
/// At most one in a process; without effect under a simulator, whose ranks share one.
class CrashNotice {
 public:
  CrashNotice(int rank, bool has_leave_out);
  CrashNotice(const CrashNotice&) = delete;
  CrashNotice& operator=(const CrashNotice&) = delete;
  CrashNotice(CrashNotice&&) = delete;
  CrashNotice& operator=(CrashNotice&&) = delete;
  ~CrashNotice();
};

}  // namespace hockney::benchmarks
