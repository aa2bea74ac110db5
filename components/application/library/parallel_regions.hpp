#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "components/application/library/spin_lock.hpp"
#include "components/application/profile/part.hpp"

namespace hockney::profile {

class ParallelRegions;

/// One execution of a parallel region. Its threads add to it.
struct ParallelExecution {
  ParallelRegions* owner = nullptr;
  std::atomic<const void*> place{nullptr};  ///< return address of the region; null: unused
  std::int64_t begin = 0;                   ///< ticks
  std::atomic<std::uint32_t> threads{0};
  std::atomic<std::int64_t> busy_ticks{0};     ///< of all threads, outside of barriers
  std::atomic<std::int64_t> slowest_ticks{0};  ///< of the thread with the most
};

/// Times of the parallel regions of OpenMP. Nested regions belong to the region that contains them.
/// Takes no memory later and no locks but for the end of a region.
class ParallelRegions {
 public:
  /// Begins an execution; nullptr if there are too many at once.
  ParallelExecution* begins(const void* place, std::int64_t now);
  /// Ends it, and adds it to the row of its place.
  void ends(ParallelExecution& execution, std::int64_t now);

  /// A row for each place; those of no_index as site have the address at the same index in
  /// places().
  [[nodiscard]] std::span<const ParallelRow> rows() const { return {rows_.data(), used_}; }
  [[nodiscard]] const void* place(std::size_t row) const { return places_[row]; }

  /// Calls `take(row, place)` for each row while no execution ends. `take` may clear the place:
  /// code that is loaded there later has a row of its own.
  template <class Take>
  void for_each(Take&& take) {
    const std::lock_guard lock(lock_);
    for (std::size_t i = 0; i < used_; ++i) take(rows_[i], places_[i]);
  }

 private:
  static constexpr std::size_t most_at_once = 64;
  static constexpr std::size_t most_rows = 512;  ///< later places share the last row

  ParallelRow& row_of(const void* place);

  std::array<ParallelExecution, most_at_once> executions_{};
  std::array<ParallelRow, most_rows> rows_{};
  std::array<const void*, most_rows> places_{};
  std::size_t used_ = 0;
  SpinLock lock_;
};

/// What one thread does in a parallel region. Its barriers are not busy time.
class ParallelThread {
 public:
  void begins(ParallelExecution* execution, std::int64_t now);
  void ends();
  void barrier_begins(std::int64_t now);
  void barrier_ends(std::int64_t now) {
    if (not_counted_ == 0) resumed_ = now;
  }

 private:
  ParallelExecution* execution_ = nullptr;
  int not_counted_ = 0;  ///< tasks of nested regions, and of regions that are not recorded
  std::int64_t resumed_ = 0;
  std::int64_t busy_ = 0;
};

/// How the regions of this process are known. A runtime calls the tool of OMPT only if it has that
/// interface (GCC's has not), and OMP_TOOL does not disable it.
ParallelTool parallel_tool();

}  // namespace hockney::profile
