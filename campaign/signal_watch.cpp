#include "campaign/signal_watch.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/whole_number.hpp"

namespace hockney::campaign {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

timespec to_timespec(Seconds limit) {
  // A day at a time is enough: callers ask again, and huge limits must not overflow time_t.
  const double seconds = std::clamp(limit.value, 0.0, 86400.0);
  const double whole = std::floor(seconds);
  return {whole_number<time_t>(whole), whole_number<long>(std::floor((seconds - whole) * 1e9))};
}

}  // namespace

SignalWatch::SignalWatch() {
  sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD})
    sigaddset(&watched_, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&watched_, SIGHUP);
  // An ignored SIGCHLD would have the kernel reap our children and lose how they ended.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &plain, &child_before_);
  sigprocmask(SIG_BLOCK, &watched_, &mask_before_);
}

SignalWatch::~SignalWatch() {
  // Repeated requests to end have been heard; they must not strike once the mask is lifted.
  while (end_requested_ && wait({0})) {
  }
  restore_for_child();
}

std::optional<int> SignalWatch::wait(Seconds limit) {
  const timespec timeout = to_timespec(limit);
  siginfo_t info{};
  const int signal = sigtimedwait(&watched_, &info, &timeout);
  if (signal < 0) return std::nullopt;
  came_from_terminal_ = info.si_code == SI_KERNEL;
  if (signal != SIGCHLD && !end_requested_) end_requested_ = signal;
  return signal;
}

std::optional<int> SignalWatch::end_requested() {
  while (!end_requested_ && wait({0})) {
  }
  return end_requested_;
}

void SignalWatch::restore_for_child() const {
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace hockney::campaign
