#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hockney::profile {

/// The clock of recorded times. Its ticks are converted when the profile is written, by what the
/// system's clock says of the same time: the processor's counter where the kernel itself keeps time
/// by it, which costs a third; else nanoseconds. A simulator's clock is asked for picoseconds.
class Ticks {
 public:
  /// Chooses; once, before any reading.
  static void choose();

  static std::int64_t now() {
#if defined(HOCKNEY_SIMULATED_PROFILE)
    return simulated();
#else
#if defined(__x86_64__)
    if (uses_counter_) return static_cast<std::int64_t>(__rdtsc());
#endif
    return nanoseconds();
#endif
  }

  /// What the system's clock says, or the simulator's [ns].
  static std::int64_t nanoseconds() {
#if defined(HOCKNEY_SIMULATED_PROFILE)
    return simulated() / 1000;
#else
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
#endif
  }

 private:
  static std::int64_t simulated();

  static inline bool uses_counter_ = false;
};

}  // namespace hockney::profile
