#include "benchmarks/engine/thread_team.hpp"

namespace hockney::benchmarks {
namespace {

/// Marks a spinning thread, so that its sibling thread gets more of the core.
void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins before yielding: a partner that needs longer has lost its CPU.
constexpr int patience = 10'000;

}  // namespace

ThreadTeam::ThreadTeam(int threads, Waiting waiting, const Task& begin) : waiting_(waiting) {
  busy_ = threads - 1;
  workers_.reserve(static_cast<std::size_t>(threads - 1));
  for (int thread = 1; thread < threads; ++thread) {
    workers_.emplace_back([this, thread, begin] { work(thread, begin); });
  }
  await([&] { return busy_.load(std::memory_order_acquire) == 0; });
  if (!failure_) return;
  end();  // the destructor ~ThreadTeam is not called
  workers_.clear();
  std::rethrow_exception(failure_);
}

ThreadTeam::~ThreadTeam() { end(); }

void ThreadTeam::end() {
  ends_ = true;
  wake();
  begun_.store(rounds_, std::memory_order_release);
}

template <class Condition>
void ThreadTeam::await(Condition is_true) const {
  for (int spins = 0; !is_true(); ++spins) {
    if (waiting_ == Waiting::yielding || spins >= patience) {
      std::this_thread::yield();
    } else {
      pause_core();
    }
  }
}

void ThreadTeam::wake() {
  if (begun_.load(std::memory_order_relaxed) != rounds_) return;
  set_.store(0, std::memory_order_relaxed);
  woken_.store(++rounds_);  // sequentially consistent, as notify_all reads whether a thread waits
  woken_.notify_all();
}

void ThreadTeam::get_set() {
  wake();
  await([&] { return set_.load(std::memory_order_acquire) == size() - 1; });
}

void ThreadTeam::run(const Task& task) {
  wake();
  task_ = &task;
  busy_.store(size() - 1, std::memory_order_relaxed);
  begun_.store(rounds_, std::memory_order_release);
  task(0);
  await([&] { return busy_.load(std::memory_order_acquire) == 0; });
}

void ThreadTeam::meet() {
  const std::uint32_t meeting = meetings_.load(std::memory_order_acquire);
  if (met_.fetch_add(1, std::memory_order_acq_rel) + 1 == size()) {
    met_.store(0, std::memory_order_relaxed);
    meetings_.store(meeting + 1, std::memory_order_release);
    return;
  }
  await([&] { return meetings_.load(std::memory_order_acquire) != meeting; });
}

void ThreadTeam::work(int thread, const Task& begin) {
  try {
    if (begin) begin(thread);
  } catch (...) {
    if (!has_failure_.exchange(true)) failure_ = std::current_exception();
  }
  busy_.fetch_sub(1, std::memory_order_release);
  for (std::uint32_t round = 1;; ++round) {
    woken_.wait(round - 1, std::memory_order_acquire);
    set_.fetch_add(1, std::memory_order_release);
    await([&] { return begun_.load(std::memory_order_acquire) == round; });
    if (ends_) return;
    (*task_)(thread);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace hockney::benchmarks
