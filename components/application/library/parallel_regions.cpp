#include "components/application/library/parallel_regions.hpp"

#include <algorithm>

namespace hockney::profile {

ParallelExecution* ParallelRegions::begins(const void* place, std::int64_t now) {
  for (ParallelExecution& execution : executions_) {
    const void* unused = nullptr;
    if (!execution.place.compare_exchange_strong(unused, place, std::memory_order_acquire)) {
      continue;
    }
    execution.owner = this;
    execution.begin = now;
    execution.threads.store(0, std::memory_order_relaxed);
    execution.busy_ticks.store(0, std::memory_order_relaxed);
    execution.slowest_ticks.store(0, std::memory_order_relaxed);
    return &execution;
  }
  return nullptr;
}

void ParallelRegions::ends(ParallelExecution& execution, std::int64_t now) {
  const std::int64_t ticks = now - execution.begin;
  const std::uint32_t threads = execution.threads.load(std::memory_order_relaxed);
  const std::lock_guard lock(lock_);
  ParallelRow& row = row_of(execution.place.load(std::memory_order_relaxed));
  ++row.count;
  row.threads = std::max(row.threads, threads);
  row.ticks += ticks;
  row.thread_ticks += ticks * threads;
  row.busy_ticks += execution.busy_ticks.load(std::memory_order_relaxed);
  row.slowest_ticks += execution.slowest_ticks.load(std::memory_order_relaxed);
  execution.place.store(nullptr, std::memory_order_release);
}

ParallelRow& ParallelRegions::row_of(const void* place) {
  const auto known = std::span(places_).first(used_);
  const auto found = std::ranges::find(known, place);
  if (found != known.end()) return rows_[static_cast<std::size_t>(found - known.begin())];
  if (used_ == most_rows) return rows_.back();
  places_[used_] = place;
  return rows_[used_++];
}

void ParallelThread::begins(ParallelExecution* execution, std::int64_t now) {
  if (execution == nullptr || execution_ != nullptr) {
    ++not_counted_;
    return;
  }
  execution_ = execution;
  execution->threads.fetch_add(1, std::memory_order_relaxed);
  resumed_ = now;
  busy_ = 0;
}

void ParallelThread::ends() {
  if (not_counted_ > 0) {
    --not_counted_;
  } else {
    execution_ = nullptr;
  }
}

// The last barrier is that of the region's end: the execution has all that its threads add before
// it ends, and a thread that leaves that barrier later adds nothing.
void ParallelThread::barrier_begins(std::int64_t now) {
  if (execution_ == nullptr || not_counted_ > 0) return;
  const std::int64_t busy = std::max<std::int64_t>(0, now - resumed_);
  busy_ += busy;
  execution_->busy_ticks.fetch_add(busy, std::memory_order_relaxed);
  std::int64_t slowest = execution_->slowest_ticks.load(std::memory_order_relaxed);
  while (slowest < busy_ && !execution_->slowest_ticks.compare_exchange_weak(
                                slowest, busy_, std::memory_order_relaxed)) {
  }
}

}  // namespace hockney::profile
