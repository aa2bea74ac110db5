#pragma once

#include <sched.h>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/handle.hpp"

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

/// Lets the core go for so long; nothing for a time that is not positive. Under a simulator it is
/// simulated time: its mpi.h replaces the call of the system, but only where that is written out.
/// std::this_thread::sleep_for is a copy in every file that uses it, of which the linker keeps any,
/// and that may be one that really sleeps.
void sleep_for(std::chrono::nanoseconds time);

/// The ranks of a communicator, which the team duplicates so that its own traffic never meets the
/// traffic of the operations.
class MpiTeam final : public Team {
 public:
  explicit MpiTeam(MPI_Comm comm);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override;
  void pass(int to, int from) override;
  std::int64_t from_first(std::int64_t value) override;
  void maximum(std::span<double> values) override;

  /// The communicator for the operations themselves.
  [[nodiscard]] MPI_Comm operations() const { return operations_; }

 private:
  MPI_Comm operations_;
  UniqueComm control_;
  int rank_;
  int size_;
};

/// A barrier whose waiting ranks sleep, so that they leave their core to ranks that measure. Under
/// a simulator a plain barrier: there waiting costs nothing, and polling would cost everything.
void quiet_barrier(MPI_Comm comm);

}  // namespace hockney
