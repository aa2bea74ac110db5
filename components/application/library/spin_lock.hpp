#pragma once

#include <sched.h>

#include <atomic>

namespace hockney::profile {

/// Lock of short sections. A thread that waits gives its CPU to others: with more threads than CPUs
/// the owner of the lock may wait for one.
class SpinLock {
 public:
  void lock() {
    constexpr int tries = 64;
    for (int i = 0; !try_lock(); ++i) {
      if (i >= tries) ::sched_yield();
    }
  }
  bool try_lock() { return !locked_.test_and_set(std::memory_order_acquire); }
  void unlock() { locked_.clear(std::memory_order_release); }

 private:
  std::atomic_flag locked_;
};

}  // namespace hockney::profile
