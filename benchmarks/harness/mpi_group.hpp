#pragma once

#include <chrono>
#include <cstdint>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney::benchmarks {

/// Lets the core go for so long; nothing for a time that is not positive. Under a simulator it is
/// simulated time: its mpi.h replaces the call of the system, but only where that is written out.
/// std::this_thread::sleep_for is a copy in every file that uses it, of which the linker keeps any,
/// and that may be one that really sleeps.
void sleep_for(std::chrono::nanoseconds time);

/// The ranks of a communicator, which the group duplicates so that its own traffic never meets the
/// traffic of the operations.
class MpiRankGroup final : public RankGroup {
 public:
  explicit MpiRankGroup(MPI_Comm comm);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override;
  void pass(int to, int from) override;
  std::int64_t from_first(std::int64_t value) override;
  void maximum(std::span<double> values) override;

  /// The communicator for the operations themselves.
  [[nodiscard]] MPI_Comm operations() const { return operations_; }

 private:
  MPI_Comm operations_;
  UniqueComm control_;
  int rank_;
  int size_;
};

/// A barrier whose waiting ranks sleep, so that they leave their core to ranks that measure. Under
/// a simulator a plain barrier: there waiting costs nothing, and polling would cost everything.
void quiet_barrier(MPI_Comm comm);

/// Whether all ranks of `comm` call this within ten seconds; those that wait sleep.
bool all_come(MPI_Comm comm);

}  // namespace hockney::benchmarks
