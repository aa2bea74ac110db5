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
  spinning,  ///< at once there when it may go on: for threads with a CPU each
  yielding   ///< lets others of its CPU run: for threads that share CPUs
};

/// The threads of one rank that work together. The thread that makes the team is its thread 0; the
/// others sleep between samples, so that they leave their CPUs to whoever measures then.
class ThreadTeam {
 public:
  using Task = std::function<void(int thread)>;

  /// So many threads, thread 0 among them. `begin` is called once on every other one, with its
  /// number, before all else, such as to bind it; what it throws, the constructor throws.
  ThreadTeam(int threads, Waiting waiting, const Task& begin);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ThreadTeam(ThreadTeam&&) = delete;
  ThreadTeam& operator=(ThreadTeam&&) = delete;
  ~ThreadTeam();

  [[nodiscard]] int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Wakes the threads up; when it returns, all of them spin for the next run().
  void get_set();
  /// Calls `task` with its number on every thread; the threads begin as soon as they see that they
  /// may, which is at once after get_set(). Returns when the last one is done. `task` must not
  /// throw.
  void run(const Task& task);
  /// In a task, on every thread: goes on when all threads have come here.
  void meet();
  /// In a task that waits for something else: lets go of the CPU where threads share CPUs.
  void let_others_run() const {
    if (waiting_ == Waiting::yielding) std::this_thread::yield();
  }

 private:
  void work(int thread, const Task& begin);
  void wake();  ///< for another round, unless one is to begin
  void end();
  template <class Condition>
  void await(Condition is_true) const;

  Waiting waiting_;
  const Task* task_ = nullptr;
  bool ends_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> has_failure_ = false;
  std::uint32_t rounds_ = 0;              ///< that the threads were woken for
  std::atomic<std::uint32_t> woken_ = 0;  ///< the last of these rounds
  std::atomic<std::uint32_t> begun_ = 0;  ///< the last round that may begin
  std::atomic<int> set_ = 0;              ///< threads that spin for the round
  std::atomic<int> busy_ = 0;             ///< threads that are not through with it
  std::atomic<int> met_ = 0;
  std::atomic<std::uint32_t> meetings_ = 0;
  std::vector<std::jthread> workers_;  ///< threads 1, 2, ...; the last member, so they end first
};

}  // namespace hockney::benchmarks
