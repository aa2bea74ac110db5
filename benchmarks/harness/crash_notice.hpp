#pragma once

namespace hockney::benchmarks {

/// While it lives, a process that dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT says first at
/// which point that was (point_under_way), and how to leave it out if its program has --leave-out,
/// then in which library. Earlier handlers, such as Open MPI's, which prints a backtrace, run
/// afterwards. At most one in a process; without effect under a simulator, whose ranks share one.
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
