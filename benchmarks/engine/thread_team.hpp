#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace hockney::benchmarks {

/// How a thread of a team waits for the others.
enum class Waiting {
  spinning,  ///< reacts at once: for threads with a CPU each
  yielding   ///< yields: for threads that share CPUs
};

/// The threads of one rank that work together. Thread 0 is the thread that makes the team. The
/// others sleep between samples, so that measuring ranks and threads have their CPUs.
class ThreadTeam {
 public:
  using Task = std::function<void(int thread)>;

  /// Makes `threads` threads, thread 0 among them. `begin` is called first and once on every other
  /// thread, with its number, for example to bind it. The constructor throws its exceptions.
  ThreadTeam(int threads, Waiting waiting, const Task& begin);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ThreadTeam(ThreadTeam&&) = delete;
  ThreadTeam& operator=(ThreadTeam&&) = delete;
  ~ThreadTeam();

  [[nodiscard]] int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Wakes the threads; when it returns, all of them spin for the next run().
  void get_set();
  /// Calls `task` with its number on every thread. After get_set() the threads start at once.
  /// Returns when the last one has finished. `task` must not throw.
  void run(const Task& task);
  /// In a task, on every thread: waits until all threads have called it.
  void meet();
  /// In a task that waits for something else: yields the CPU if threads share CPUs.
  void let_others_run() const {
    if (waiting_ == Waiting::yielding) std::this_thread::yield();
  }

 private:
  void work(int thread, const Task& begin);
  void wake();  ///< for another round, unless one is about to begin
  void end();
  template <class Condition>
  void await(Condition is_true) const;

  Waiting waiting_;
  const Task* task_ = nullptr;
  bool ends_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> has_failure_ = false;
  std::uint32_t rounds_ = 0;              ///< number of rounds
  std::atomic<std::uint32_t> woken_ = 0;  ///< the last round that the threads were woken for
  std::atomic<std::uint32_t> begun_ = 0;  ///< the last round that may begin
  std::atomic<int> set_ = 0;              ///< threads that spin for the round
  std::atomic<int> busy_ = 0;             ///< threads that have not finished it
  std::atomic<int> met_ = 0;
  std::atomic<std::uint32_t> meetings_ = 0;
  std::vector<std::jthread> workers_;  ///< threads 1, 2, ...; the last member, so they end first
};

}  // namespace hockney::benchmarks
