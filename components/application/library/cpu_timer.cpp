#include "components/application/library/cpu_timer.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>

namespace hockney::profile {
namespace {

/// The CPU clock of a thread: the kernel's number of it, as pthread_getcpuclockid(3) makes it.
clockid_t clock_of(int thread) {
  constexpr int scheduler_clock_of_thread = 6;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | scheduler_clock_of_thread);
}

timespec time_of(std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  return {nanoseconds / second, nanoseconds % second};
}

/// First signal of a thread, up to a period after its begin. It differs between threads and ranks,
/// which would else be sampled in step.
std::int64_t first_ns(std::int64_t period_ns, int thread) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  constexpr std::int64_t steps = 1024;
  const auto step =
      static_cast<std::int64_t>((static_cast<std::uint64_t>(thread) * odd) >> 54U) % steps;
  return std::max<std::int64_t>(1, period_ns / steps * step);
}

/// Makes a descriptor of an event send the signal to a thread.
bool send_signals(int file, int signal, int thread) {
  const f_owner_ex owner{F_OWNER_TID, thread};
  // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): as POSIX declares fcntl
  return ::fcntl(file, F_SETFL, O_ASYNC) == 0 && ::fcntl(file, F_SETSIG, signal) == 0 &&
         ::fcntl(file, F_SETOWN_EX, &owner) == 0;
  // NOLINTEND(cppcoreguidelines-pro-type-vararg)
}

}  // namespace

CpuTimer CpuTimer::start(int signal, std::int64_t period_ns, int thread) {
  constexpr std::int64_t ticks_suffice_ns = 10'000'000;
  if (period_ns >= ticks_suffice_ns) {
    const CpuTimer posix = start_posix(signal, period_ns, thread);
    return posix.is_empty() ? start_perf(signal, period_ns, thread) : posix;
  }
  const CpuTimer perf = start_perf(signal, period_ns, thread);
  return perf.is_empty() ? start_posix(signal, period_ns, thread) : perf;
}

// NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): as the kernel declares ioctl
CpuTimer CpuTimer::start_perf(int signal, std::int64_t period_ns, int thread) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_SOFTWARE;
  event.config = PERF_COUNT_SW_TASK_CLOCK;
  event.sample_period = static_cast<std::uint64_t>(period_ns);  // NOLINT(*-union-access)
  event.disabled = 1;
  const auto file = static_cast<int>(
      ::syscall(SYS_perf_event_open, &event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (file < 0) return {};
  std::uint64_t id = 0;
  const bool is_good = send_signals(file, signal, thread) &&
                       ::ioctl(file, PERF_EVENT_IOC_ID, &id) == 0 &&
                       ::ioctl(file, PERF_EVENT_IOC_REFRESH, 1) == 0;
  if (is_good) return {Kind::perf, file, id};
  ::close(file);
  return {};
}

bool CpuTimer::has_descriptor() const {
  std::uint64_t id = 0;
  return ::ioctl(number_, PERF_EVENT_IOC_ID, &id) == 0 && id == id_;
}

void CpuTimer::renew() const {
  // One signal at a time: the kernel sends SIGIO, which ends a program, when too many wait.
  if (kind_ == Kind::perf && has_descriptor()) ::ioctl(number_, PERF_EVENT_IOC_REFRESH, 1);
}
// NOLINTEND(cppcoreguidelines-pro-type-vararg)

CpuTimer CpuTimer::start_posix(int signal, std::int64_t period_ns, int thread) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = thread;  // NOLINT(*-union-access): as in glibc
  int made = 0;
  if (::syscall(SYS_timer_create, clock_of(thread), &event, &made) != 0) return {};
  const itimerspec times{time_of(period_ns), time_of(first_ns(period_ns, thread))};
  ::syscall(SYS_timer_settime, made, 0, &times, nullptr);
  return {Kind::posix, made, 0};
}

void CpuTimer::end() const {
  if (kind_ == Kind::posix) ::syscall(SYS_timer_delete, number_);
  if (kind_ == Kind::perf && has_descriptor()) ::close(number_);
}

}  // namespace hockney::profile
