#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/threads.hpp"

namespace hockney::benchmarks {

/// The same operation on every thread of every rank, between threads of one number, all at the same
/// time. `Task` is it on one thread: constructed from a context and a point, with run(),
/// refill(seed), verify(seed) and volume(point), where there is one ready() and obstacle(point).
///
/// A batch begins when thread 0, whose clock is the rank's, lets the others go, which spin for it
/// then, and ends when the last of them is through. In a batch each thread goes through all
/// iterations by itself: nothing but its messages makes it wait for others.
template <class Task>
class Threaded {
 public:
  /// Operations of one thread, with the bytes of all.
  static Volume volume(const Point& point) {
    Volume made = Task::volume(point);
    made.bytes = made.bytes * threads_of(point);
    if (made.bus_bytes) *made.bus_bytes *= threads_of(point);
    return made;
  }

  static std::optional<std::string> obstacle(const Point& point) {
    if (auto reason = thread_obstacle(point)) return reason;
    if constexpr (requires { Task::obstacle(point); }) return Task::obstacle(point);
    return std::nullopt;
  }

  Threaded(const Context& context, const Point& point)
      : contexts_(context, point), team_(make_team(context, threads_of(point))) {
    for (int thread = 0; thread < team_.size(); ++thread) {
      tasks_.push_back(std::make_unique<Task>(contexts_.of(thread), point));
    }
  }

  void ready() {
    if constexpr (requires(Task task) { task.ready(); }) {
      for (const auto& task : tasks_) task->ready();
    }
    team_.get_set();
  }

  void run() { run_batch(1); }
  void run_batch(std::int64_t iterations) {
    iterations_ = iterations;
    team_.run(work_);
  }

  void refill(std::uint64_t seed) {
    for (int thread = 0; thread < team_.size(); ++thread) {
      of(thread).refill(thread_seed(seed, thread));
    }
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    bool is_good = true;
    for (int thread = 0; thread < team_.size(); ++thread) {
      is_good = of(thread).verify(thread_seed(seed, thread)) && is_good;
    }
    return is_good;
  }

 private:
  [[nodiscard]] Task& of(int thread) const { return *tasks_[static_cast<std::size_t>(thread)]; }

  ThreadContexts contexts_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::int64_t iterations_ = 0;
  ThreadTeam::Task work_ = [this](int thread) {
    Task& task = of(thread);
    for (std::int64_t i = 0; i < iterations_; ++i) task.run();
  };
  ThreadTeam team_;  ///< ends first
};

}  // namespace hockney::benchmarks
