#pragma once

#include <cstdint>

namespace hockney::profile {

/// Sends a thread a signal for each period of its CPU time, one at a time. Periods of 10 ms and
/// more use timer_create(2). The kernel checks that timer at its ticks, about 250 a second. On a
/// busy CPU signals come late, and count several periods. Shorter periods use the task clock of
/// perf_event_open(2) where the kernel lets this user count kernel time, too. It is precise, and
/// costs 40 us a signal in a virtual machine.
class CpuTimer {
 public:
  /// For a thread of this process, as numbered by the kernel. An empty timer if the system has
  /// neither.
  static CpuTimer start(int signal, std::int64_t period_ns, int thread);

  CpuTimer() = default;

  [[nodiscard]] bool is_empty() const { return kind_ == Kind::none; }
  /// Allows the next signal. Call in the handler, in the thread of the timer.
  void renew() const;
  /// Ends the timer. Safe in signal handlers and other threads.
  void end() const;

 private:
  enum class Kind : std::int32_t { none, perf, posix };

  CpuTimer(Kind kind, std::int32_t number, std::uint64_t id)
      : kind_(kind), number_(number), id_(id) {}

  static CpuTimer start_perf(int signal, std::int64_t period_ns, int thread);
  static CpuTimer start_posix(int signal, std::int64_t period_ns, int thread);
  /// The program may have closed the descriptor, and opened another file under its number.
  [[nodiscard]] bool has_descriptor() const;

  Kind kind_ = Kind::none;
  std::int32_t number_ = 0;  ///< descriptor, or timer of the kernel
  std::uint64_t id_ = 0;     ///< of the event
};

}  // namespace hockney::profile
