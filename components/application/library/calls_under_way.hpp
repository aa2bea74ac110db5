#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "components/application/profile/profile.hpp"

namespace hockney::profile {

/// The calls that threads are in, for the part of a rank that ends inside one. The first 128
/// threads have a slot each; later threads share them. Safe in signal handlers.
class CallsUnderWay {
 public:
  struct Call {
    std::uint32_t function = 0;  ///< Function + 1; 0: none
    std::int64_t since = 0;      ///< ticks
  };

  void enters(Function function, std::int64_t since) {
    Slot& slot = slots_[own()];
    slot.since.store(since, std::memory_order_relaxed);
    slot.function.store(static_cast<std::uint32_t>(function) + 1, std::memory_order_release);
  }
  void leaves() { slots_[own()].function.store(0, std::memory_order_relaxed); }

  /// Function + 1 of the call of this thread; 0: none.
  [[nodiscard]] std::uint32_t function_of_thread() const { return slots_[own()].call().function; }

  /// The call of this thread; if it is outside of MPI, the oldest call of any thread.
  [[nodiscard]] Call current() const {
    Call current = slots_[own()].call();
    if (current.function != 0) return current;
    for (const Slot& slot : slots_) {
      const Call call = slot.call();
      const bool is_earlier = current.function == 0 || call.since < current.since;
      if (call.function != 0 && is_earlier) current = call;
    }
    return current;
  }

 private:
  struct alignas(64) Slot {  // one cache line each, against false sharing
    std::atomic<std::uint32_t> function{0};
    std::atomic<std::int64_t> since{0};

    [[nodiscard]] Call call() const {
      const std::uint32_t read = function.load(std::memory_order_acquire);
      return {read, since.load(std::memory_order_relaxed)};
    }
  };
  static constexpr std::uint32_t most = 128;

  /// The slot of this thread.
  static std::uint32_t own() {
#if defined(HOCKNEY_SIMULATED_PROFILE)
    return 0;  // simulated ranks take turns; each has its own variables
#else
    if (own_ == most) own_ = threads_.fetch_add(1, std::memory_order_relaxed) % most;
    return own_;
#endif
  }

  // NOLINTBEGIN(*-avoid-non-const-global-variables,readability-identifier-naming): of a process
  static inline std::atomic<std::uint32_t> threads_{0};
  static inline thread_local std::uint32_t own_ __attribute__((tls_model("initial-exec"))) = most;
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)

  std::array<Slot, most> slots_{};
};

}  // namespace hockney::profile
