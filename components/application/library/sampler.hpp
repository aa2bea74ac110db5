#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "components/application/library/cpu_timer.hpp"
#include "components/application/library/rows.hpp"
#include "components/application/library/stack_table.hpp"
#include "components/application/library/stack_walk.hpp"
#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// sigaction of the C library: the program's calls come to this library's.
int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before);

/// Samples the stacks of threads. A timer of each thread's CPU time sends it a real-time signal
/// once a period, so a sample is a period of CPU time. SIGPROF and the interval timers stay the
/// program's. A thread that blocks the signal is not sampled meanwhile.
class Sampler {
 public:
  using Handler = void (*)(int, siginfo_t*, void*);

  /// Takes memory, installs the handler for a free real-time signal, and samples the calling thread
  /// from now on. `period_ns`: CPU time. The handler calls take(). `ticks`: the clock of costs.
  /// `smallest_stack`: of the program's alternate stacks [B].
  void begin(Budget& budget, std::int64_t period_ns, std::size_t smallest_stack, Handler handler,
             std::int64_t (*ticks)());

  /// Samples the calling thread, too, until end_thread() or the end.
  void begin_thread();
  /// Samples another thread, as numbered by the kernel, until the end.
  void begin_other_thread(int thread);
  /// Call in the thread that ends.
  void end_thread();

  /// While one exists, this thread is not sampled, and no signal waits for it: what waits survives
  /// exec(), and ends the next program.
  class Pause {
   public:
    explicit Pause(Sampler* sampler);
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause();

   private:
    Sampler* sampler_;
    bool was_sampled_ = false;
  };

  /// Adds a sample. `function`: Function + 1 of the MPI call that the thread is in, or 0. Only for
  /// the handler.
  void take(const siginfo_t& info, const void* context, std::uint32_t function);

  /// Leaves a sample out. Only for the handler.
  void pass();

  /// Ends all timers and makes the rows readable; once. Safe in signal handlers.
  void stop();

  /// Whether the program may not have this signal without an end of the sampling.
  [[nodiscard]] bool uses(int signal) const { return is_on_ && signal == signal_; }
  /// The program takes the signal: ends the timers for good.
  void give_up_signal();
  /// Whether signals of this number are none of the program's.
  [[nodiscard]] bool owns(int signal) const {
    return signal == signal_ && state_ == Sampling::done;
  }

  /// Smallest alternate stack on which the handler runs [B]. The handler takes 5 KiB, and the
  /// kernel's frame, which AT_MINSIGSTKSZ has, up to 4 KiB with AVX-512.
  static std::size_t least_stack();
  /// The program has a smaller one: from now on the handler runs on the stack of the thread, and
  /// not within handlers on alternate stacks.
  void leave_alternate_stacks();
  /// Whether the program's action of a signal must block the sampler's.
  [[nodiscard]] bool waits_for(const struct sigaction& action) const {
    return leaves_stacks_ && (action.sa_flags & SA_ONSTACK) != 0;
  }
  [[nodiscard]] int signal() const { return signal_; }

  /// Addresses of this library.
  void set_own_code(const AddressRange& own) { own_ = own; }
  [[nodiscard]] bool is_begun() const { return table_.has_value(); }
  /// As StackTable::retire().
  bool retire(const AddressRange& code, std::uint64_t shift) {
    return table_ && !is_stopped_ && table_->retire(code, shift);
  }

  [[nodiscard]] SampleSums sums() const;
  /// Empty before stop().
  [[nodiscard]] std::span<const StackRow> rows() const;
  [[nodiscard]] std::span<const std::uint64_t> frames() const;

 private:
  /// The timer of one thread. The thread that moves it from `running` to `ending` ends it.
  struct Slot {
    enum class State { free, claimed, running, ending };

    std::atomic<State> state{State::free};
    std::atomic<int> thread{0};
    CpuTimer timer;

    void end();
  };

  bool install(Handler handler);
  /// Starts the timer of a thread; nullptr if there are too many, or no timer.
  Slot* start(int thread);
  /// The slot of this thread. That of a thread which begin_other_thread() has begun is searched at
  /// its first signal.
  Slot* own_slot();
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
  bool leaves_stacks_ = false;
  std::int64_t period_ns_ = 0;
  std::int64_t (*ticks_of_)() = nullptr;
  std::int64_t delivery_ns_ = 0;
  double ticks_per_ns_ = 0;
  std::atomic<bool> is_on_{false};
  std::atomic<bool> is_stopped_{false};
  std::atomic<Sampling> state_{Sampling::not_requested};
  std::atomic<int> inside_{0};  ///< threads in take()
  std::atomic<std::int64_t> samples_{0};
  std::atomic<std::int64_t> signals_{0};
  std::atomic<std::int64_t> handler_ns_{0};  ///< CPU time: other processes may take the CPU
  std::atomic<std::int64_t> threads_{0};
  std::atomic<std::int64_t> threads_lost_{0};
  std::vector<Slot> timers_;  ///< as many as threads that are sampled at most
};

}  // namespace hockney::profile
