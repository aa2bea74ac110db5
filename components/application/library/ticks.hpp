#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hockney::profile {

/// The clock of recorded times. Uses the processor's counter if it is the kernel's clock source, as
/// reading it costs a third; else CLOCK_MONOTONIC_RAW in nanoseconds. Ticks are converted with the
/// system's clock when the profile is written. With a simulator, ticks are picoseconds.
class Ticks {
 public:
  /// Chooses the clock; call once, before the first reading.
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

  /// Time of the system's clock, or of the simulator [ns].
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
