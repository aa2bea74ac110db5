#pragma once

#include <array>
#include <csignal>
#include <ctime>

namespace hockney::profile {

/// While it lives, writes of this thread that are refused only fail: beyond the limit of file sizes
/// they would raise SIGXFSZ, into a pipe without reader SIGPIPE, which end programs. Signal
/// handlers may make one.
class OwnWrites {
 public:
  OwnWrites() {
    sigset_t both{};
    ::sigemptyset(&both);
    for (const int signal : refusals) ::sigaddset(&both, signal);
    ::sigpending(&pending_before_);
    ::sigprocmask(SIG_BLOCK, &both, &mask_before_);  // under Linux of this thread alone
  }
  OwnWrites(const OwnWrites&) = delete;
  OwnWrites& operator=(const OwnWrites&) = delete;
  OwnWrites(OwnWrites&&) = delete;
  OwnWrites& operator=(OwnWrites&&) = delete;
  ~OwnWrites() {
    for (const int signal : refusals) {
      if (::sigismember(&pending_before_, signal) == 0) take_back(signal);
    }
    ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }

 private:
  static constexpr std::array refusals{SIGXFSZ, SIGPIPE};

  static void take_back(int signal) {
    sigset_t one{};
    ::sigemptyset(&one);
    ::sigaddset(&one, signal);
    const timespec now{};
    ::sigtimedwait(&one, nullptr, &now);
  }

  sigset_t mask_before_{};
  sigset_t pending_before_{};
};

}  // namespace hockney::profile
