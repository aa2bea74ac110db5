#include "application/library/sampler.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace hockney::profile {
namespace {

constexpr int claimed = -1;
constexpr int free_slot = 0;

/// The first real-time signal, from the last one down, that nobody handles; 0 if there is none.
/// glibc gives out the first ones, valgrind uses the last one.
int free_signal() {
  for (int signal = SIGRTMAX - 1; signal > SIGRTMIN; --signal) {
    struct sigaction found {};
    if (::sigaction(signal, nullptr, &found) != 0) continue;
    if ((found.sa_flags & SA_SIGINFO) == 0 && found.sa_handler == SIG_DFL) return signal;
  }
  return 0;
}

timespec time_of(std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  return {nanoseconds / second, nanoseconds % second};
}

/// First sample of a thread, up to a period after its begin. It differs between threads and ranks,
/// which would else be sampled in step.
std::int64_t first_ns(std::int64_t period_ns, std::int64_t thread) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  constexpr std::uint64_t steps = 1024;
  const std::uint64_t step = (static_cast<std::uint64_t>(thread) * odd) >> 54U;
  return std::max<std::int64_t>(
      1, period_ns / static_cast<std::int64_t>(steps) * static_cast<std::int64_t>(step));
}

}  // namespace

void Sampler::begin(Budget& budget, std::int64_t period_ns, Handler handler,
                    std::int64_t (*ticks)()) {
  period_ns_ = period_ns;
  ticks_of_ = ticks;
  state_ = Sampling::not_possible;
#if defined(__x86_64__) || defined(__aarch64__)
  if (!install(handler)) return;
  delivery_ticks_ = delivery_ticks();
  table_.emplace(budget);
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
  if (::sigaction(signal, &action, nullptr) != 0) return false;
  signal_ = signal;
  return true;
}

std::int64_t Sampler::delivery_ticks() const {
  constexpr int tries = 64;
  const std::int64_t begin = ticks_of_();
  for (int i = 0; i < tries; ++i) {
    ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), signal_);
  }
  return (ticks_of_() - begin) / tries;
}

void Sampler::begin_thread() {
  if (!is_on_ || own_timer_ != nullptr) return;
  stack_end();
  const auto slot = std::ranges::find_if(timers_, [](std::atomic<int>& timer) {
    int expected = free_slot;
    return timer.compare_exchange_strong(expected, claimed);
  });
  if (slot == timers_.end() || !start_timer(*slot)) {
    threads_lost_.fetch_add(1);
    return;
  }
  own_timer_ = &*slot;
  threads_.fetch_add(1);
  if (!is_on_) end_thread();  // stop() may have missed it
}

bool Sampler::start_timer(std::atomic<int>& timer) const {
  const auto thread = static_cast<int>(::syscall(SYS_gettid));
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_;
  event._sigev_un._tid = thread;  // NOLINT(cppcoreguidelines-pro-type-union-access): as in glibc
  int made = 0;
  if (::syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &made) != 0) {
    timer = free_slot;
    return false;
  }
  const itimerspec times{time_of(period_ns_), time_of(first_ns(period_ns_, thread))};
  ::syscall(SYS_timer_settime, made, 0, &times, nullptr);
  timer = made + 1;
  return true;
}

void Sampler::end_timer(std::atomic<int>& timer) {
  const int made = timer.exchange(free_slot);
  if (made > 0) ::syscall(SYS_timer_delete, made - 1);
}

void Sampler::end_thread() {
  if (own_timer_ != nullptr) end_timer(*own_timer_);
  own_timer_ = nullptr;
}

void Sampler::end_timers() {
  is_on_ = false;
  for (std::atomic<int>& timer : timers_) end_timer(timer);
}

void Sampler::take(const siginfo_t& info, const void* context, std::uint32_t function) {
  if (info.si_code != SI_TIMER) return;
  inside_.fetch_add(1);
  if (is_on_) {
    const std::int64_t begin = ticks_of_();
    const StackWalk walk(context);
    // Periods that passed while the signal was blocked, or waited for the kernel's next tick.
    const std::int64_t count = 1 + std::max(info.si_overrun, 0);
    const auto frames = function == 0 ? walk.frames() : walk.callers_of(own_);
    table_->add(frames, static_cast<std::uint16_t>(function), count);
    samples_.fetch_add(count, std::memory_order_relaxed);
    signals_.fetch_add(1, std::memory_order_relaxed);
    ticks_.fetch_add(ticks_of_() - begin, std::memory_order_relaxed);
  }
  inside_.fetch_sub(1);
}

void Sampler::stop() {
  if (!table_) return;
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
          .ticks = ticks_ + signals_ * delivery_ticks_};
}

std::span<const StackRow> Sampler::rows() const {
  return table_ ? table_->rows() : std::span<const StackRow>();
}

std::span<const std::uint64_t> Sampler::frames() const {
  return table_ ? table_->frames() : std::span<const std::uint64_t>();
}

}  // namespace hockney::profile
