#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace hockney {

/// A number in shared memory that one rank raises and another one waits for. Zeroed memory is a
/// handoff at 0.
class Handoff {
 public:
  void raise_to(std::uint64_t value) { value_.store(value, std::memory_order_release); }

  /// Until it is `value` or more; what it is then. Spins, and lets others run now and then, in case
  /// they are on the same CPU.
  std::uint64_t wait_for(std::uint64_t value) const {
    constexpr int patience = 1 << 12;  // much longer than a cache line travels
    for (int spins = 0;; ++spins) {
      const std::uint64_t found = value_.load(std::memory_order_acquire);
      if (found >= value) return found;
      if (spins == patience) {
        ::sched_yield();
        spins = 0;
      }
    }
  }

 private:
  std::atomic<std::uint64_t> value_{0};
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "other processes wait for it");
};

}  // namespace hockney
