#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "application/library/cpu_timer.hpp"
#include "application/library/rows.hpp"
#include "application/library/stack_table.hpp"
#include "application/library/stack_walk.hpp"
#include "application/profile/part.hpp"

namespace hockney::profile {

/// Samples the stacks of threads. A timer of each thread's CPU time sends it a real-time signal
/// once a period, so a sample is a period of CPU time. SIGPROF and the interval timers stay the
/// program's.
class Sampler {
 public:
  using Handler = void (*)(int, siginfo_t*, void*);

  /// Takes memory, installs the handler for a free real-time signal, and samples the calling thread
  /// from now on. `period_ns`: CPU time. The handler calls take(). `ticks`: the clock of costs.
  void begin(Budget& budget, std::int64_t period_ns, Handler handler, std::int64_t (*ticks)());

  /// Samples the calling thread, too, until end_thread() or the end.
  void begin_thread();
  /// Call in the thread that ends.
  void end_thread();

  /// Adds a sample. `function`: Function + 1 of the MPI call that the thread is in, or 0. Only for
  /// the handler.
  void take(const siginfo_t& info, const void* context, std::uint32_t function);

  /// Leaves a sample out. Only for the handler.
  void pass() const;

  /// Ends all timers and makes the rows readable; once. Safe in signal handlers.
  void stop();

  /// Whether the program may not have this signal without an end of the sampling.
  [[nodiscard]] bool uses(int signal) const { return is_on_ && signal == signal_; }
  /// The program takes the signal: ends the timers for good.
  void give_up_signal();

  /// Addresses of this library.
  void set_own_code(const AddressRange& own) { own_ = own; }
  [[nodiscard]] bool is_begun() const { return table_.has_value(); }

  [[nodiscard]] SampleSums sums() const;
  /// Empty before stop().
  [[nodiscard]] std::span<const StackRow> rows() const;
  [[nodiscard]] std::span<const std::uint64_t> frames() const;

 private:
  static constexpr std::size_t most_threads = 1024;

  /// The timer of one thread. Whoever moves it from `running` to `ending` ends it.
  struct Slot {
    enum class State { free, claimed, running, ending };

    std::atomic<State> state{State::free};
    CpuTimer timer;

    void end();
  };

  bool install(Handler handler);
  /// Measures the mean cost of a signal that takes no sample, and the ticks of a nanosecond.
  void measure_delivery();
  void end_timers();

  // NOLINTBEGIN(*-avoid-non-const-global-variables,readability-identifier-naming): of a thread
#if defined(HOCKNEY_SIMULATED_PROFILE)
  static inline Slot* own_timer_ = nullptr;  // never set: simulated ranks are not sampled
#else
  static inline thread_local Slot* own_timer_ __attribute__((tls_model("initial-exec"))) = nullptr;
#endif
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)

  std::optional<StackTable> table_;
  AddressRange own_;
  int signal_ = 0;
  std::int64_t period_ns_ = 0;
  std::int64_t (*ticks_of_)() = nullptr;
  std::int64_t delivery_ns_ = 0;
  double ticks_per_ns_ = 0;
  std::atomic<bool> is_on_{false};
  std::atomic<bool> is_stopped_{false};
  std::atomic<Sampling> state_{Sampling::not_asked};
  std::atomic<int> inside_{0};  ///< threads in take()
  std::atomic<std::int64_t> samples_{0};
  std::atomic<std::int64_t> signals_{0};
  std::atomic<std::int64_t> handler_ns_{0};  ///< CPU time: other processes may take the CPU
  std::atomic<std::int64_t> threads_{0};
  std::atomic<std::int64_t> threads_lost_{0};
  std::array<Slot, most_threads> timers_{};
};

}  // namespace hockney::profile
