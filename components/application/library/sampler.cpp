#include "components/application/library/sampler.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "components/application/library/thread_list.hpp"

namespace hockney::profile {
namespace {

bool is_free(int signal) {
  struct sigaction found {};
  if (system_sigaction(signal, nullptr, &found) != 0) return false;
  return (found.sa_flags & SA_SIGINFO) == 0 && found.sa_handler == SIG_DFL;
}

/// A real-time signal without a handler; 0 if there is none. Programs take the first or the last
/// ones, perhaps later, so the search begins in the middle.
int free_signal() {
  const int middle = (SIGRTMIN + SIGRTMAX) / 2;
  for (int signal = middle; signal < SIGRTMAX; ++signal) {
    if (is_free(signal)) return signal;
  }
  for (int signal = middle - 1; signal > SIGRTMIN; --signal) {
    if (is_free(signal)) return signal;
  }
  return 0;
}

std::int64_t nanoseconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// While one exists, a signal of this thread waits: the first one needs its timer.
class BlockedSignal {
 public:
  explicit BlockedSignal(int signal) {
    ::sigemptyset(&mask_);
    ::sigaddset(&mask_, signal);
    ::pthread_sigmask(SIG_BLOCK, &mask_, &before_);
  }
  BlockedSignal(const BlockedSignal&) = delete;
  BlockedSignal& operator=(const BlockedSignal&) = delete;
  ~BlockedSignal() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t mask_{};
  sigset_t before_{};
};

}  // namespace

int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  using Next = int (*)(int, const struct sigaction*, struct sigaction*);
  static const auto next = reinterpret_cast<Next>(::dlsym(RTLD_NEXT, "sigaction"));
  return next(signal, action, before);
}

void Sampler::begin(Budget& budget, std::int64_t period_ns, std::size_t smallest_stack,
                    Handler handler, std::int64_t (*ticks)()) {
  period_ns_ = period_ns;
  ticks_of_ = ticks;
  state_ = Sampling::not_possible;
#if defined(__x86_64__) || defined(__aarch64__)
  if (!install(handler)) return;
  if (smallest_stack < least_stack()) leave_alternate_stacks();
  measure_delivery();
  table_.emplace(budget);
  constexpr std::size_t most_threads = 4096;
  timers_ = std::vector<Slot>(most_threads);
  state_ = Sampling::done;
  is_on_ = true;
  begin_thread();
  if (own_timer_ != nullptr) return;
  is_on_ = false;
  state_ = Sampling::not_possible;
#endif
}

bool Sampler::install(Handler handler) {
  const int signal = free_signal();
  if (signal == 0) return false;
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigfillset(&action.sa_mask);  // no other handler may see a half-added sample
  for (const int fault : {SIGSEGV, SIGBUS}) ::sigdelset(&action.sa_mask, fault);
  if (system_sigaction(signal, &action, nullptr) != 0) return false;
  signal_ = signal;
  return true;
}

void Sampler::measure_delivery() {
  constexpr int tries = 64;
  sigset_t own{};
  sigset_t before{};
  ::sigemptyset(&own);
  ::sigaddset(&own, signal_);
  ::pthread_sigmask(SIG_UNBLOCK, &own, &before);  // none may wait for a program that blocks all
  const std::int64_t begin_ticks = ticks_of_();
  const std::int64_t begin_ns = nanoseconds_of(CLOCK_MONOTONIC_RAW);
  const std::int64_t begin_cpu = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < tries; ++i) {
    ::syscall(SYS_tgkill, ::getpid(), this_thread(), signal_);
  }
  delivery_ns_ = (nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - begin_cpu) / tries;
  const auto ticks = static_cast<double>(ticks_of_() - begin_ticks);
  const std::int64_t took_ns = nanoseconds_of(CLOCK_MONOTONIC_RAW) - begin_ns;
  ticks_per_ns_ = ticks / static_cast<double>(std::max<std::int64_t>(1, took_ns));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Sampler::begin_thread() {
  if (!is_on_ || own_timer_ != nullptr) return;
  stack_end();
  const BlockedSignal blocked(signal_);
  own_timer_ = start(this_thread());
  if (!is_on_) end_thread();  // end_timers() may have missed it
}

void Sampler::begin_other_thread(int thread) {
  if (!is_on_) return;
  Slot* const slot = start(thread);
  if (slot != nullptr && !is_on_) slot->end();
}

Sampler::Slot* Sampler::start(int thread) {
  const auto slot = std::ranges::find_if(timers_, [](Slot& one) {
    auto expected = Slot::State::free;
    return one.state.compare_exchange_strong(expected, Slot::State::claimed);
  });
  const CpuTimer timer =
      slot == timers_.end() ? CpuTimer() : CpuTimer::start(signal_, period_ns_, thread);
  if (timer.is_empty()) {
    threads_lost_.fetch_add(1);
    if (slot != timers_.end()) slot->state = Slot::State::free;
    return nullptr;
  }
  slot->timer = timer;
  slot->thread = thread;
  slot->state = Slot::State::running;
  threads_.fetch_add(1);
  return &*slot;
}

Sampler::Slot* Sampler::own_slot() {
  if (own_timer_ != nullptr) return own_timer_;
  const int thread = this_thread();
  const auto slot = std::ranges::find_if(timers_, [thread](const Slot& one) {
    return one.state == Slot::State::running && one.thread == thread;
  });
  if (slot != timers_.end()) own_timer_ = &*slot;
  return own_timer_;
}

Sampler::Pause::Pause(Sampler* sampler) : sampler_(sampler) {
  if (sampler_ == nullptr || sampler_->signal_ == 0) return;
  was_sampled_ = sampler_->own_slot() != nullptr;
  sampler_->end_thread();
  sigset_t own{};
  ::sigemptyset(&own);
  ::sigaddset(&own, sampler_->signal_);
  const timespec now{};
  constexpr std::size_t bytes_of_mask = 8;
  ::syscall(SYS_rt_sigtimedwait, &own, nullptr, &now, bytes_of_mask);
}

Sampler::Pause::~Pause() {
  if (was_sampled_) sampler_->begin_thread();
}

std::size_t Sampler::least_stack() {
  constexpr std::size_t of_handler = std::size_t{16} << 10U;
  constexpr unsigned long least_of_kernel = 51;  // AT_MINSIGSTKSZ, since Linux 5.14
  constexpr unsigned long least_before = 2048;
  return of_handler + std::max(::getauxval(least_of_kernel), least_before);
}

void Sampler::leave_alternate_stacks() {
  if (signal_ == 0 || leaves_stacks_) return;
  leaves_stacks_ = true;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    struct sigaction action {};
    if (system_sigaction(signal, nullptr, &action) != 0) continue;
    if ((action.sa_flags & SA_ONSTACK) == 0) continue;
    if (signal == signal_) action.sa_flags &= ~SA_ONSTACK;
    ::sigaddset(&action.sa_mask, signal_);
    system_sigaction(signal, &action, nullptr);
  }
}

void Sampler::Slot::end() {
  auto expected = State::running;
  if (!state.compare_exchange_strong(expected, State::ending)) return;
  timer.end();
  state = State::free;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): as begin_thread()
void Sampler::end_thread() {
  if (own_timer_ != nullptr) own_timer_->end();
  own_timer_ = nullptr;
}

void Sampler::end_timers() {
  is_on_ = false;
  for (Slot& slot : timers_) slot.end();
}

void Sampler::take(const siginfo_t& info, const void* context, std::uint32_t function) {
  const bool is_timer = info.si_code == SI_TIMER;
  const bool is_event = info.si_code == POLL_IN || info.si_code == POLL_HUP;
  if (!is_timer && !is_event) return;
  inside_.fetch_add(1);
  Slot* const slot = own_slot();
  if (is_on_ && slot != nullptr) {
    const std::int64_t begin = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    const StackWalk walk(context);
    // Periods that passed while the signal was blocked, or waited for the kernel's next tick.
    const std::int64_t count = is_timer ? 1 + std::max(info.si_overrun, 0) : 1;
    const auto frames = function == 0 ? walk.frames() : walk.callers_of(own_);
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): on only with a table
    table_->add(frames, static_cast<std::uint16_t>(function), count);
    samples_.fetch_add(count, std::memory_order_relaxed);
    signals_.fetch_add(1, std::memory_order_relaxed);
    slot->timer.renew();
    const std::int64_t took = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
    handler_ns_.fetch_add(took, std::memory_order_relaxed);
  }
  inside_.fetch_sub(1);
}

void Sampler::pass() {
  Slot* const slot = own_slot();
  if (is_on_ && slot != nullptr) slot->timer.renew();
}

void Sampler::stop() {
  if (!table_ || is_stopped_.exchange(true)) return;
  end_timers();
  constexpr timespec millisecond{0, 1'000'000};
  for (int i = 0; i < 100 && inside_ > 0; ++i) ::nanosleep(&millisecond, nullptr);
  table_->close();
}

void Sampler::give_up_signal() {
  end_timers();
  state_ = Sampling::signal_taken;
}

SampleSums Sampler::sums() const {
  return {.state = static_cast<std::int64_t>(state_.load()),
          .period_ns = period_ns_,
          .samples = samples_,
          .lost = table_ ? table_->lost() : 0,
          .threads = threads_,
          .threads_lost = threads_lost_,
          .ticks = static_cast<std::int64_t>(
              ticks_per_ns_ * static_cast<double>(handler_ns_ + signals_ * delivery_ns_))};
}

std::span<const StackRow> Sampler::rows() const {
  return table_ ? table_->rows() : std::span<const StackRow>();
}

std::span<const std::uint64_t> Sampler::frames() const {
  return table_ ? table_->frames() : std::span<const std::uint64_t>();
}

}  // namespace hockney::profile
