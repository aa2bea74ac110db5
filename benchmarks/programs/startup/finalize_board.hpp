#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/shared_memory.hpp"

namespace hockney::benchmarks::programs {

/// Where the ranks of rank 0's node tell it, without MPI, what MPI_Finalize took them: in memory
/// that outlives MPI.
class FinalizeBoard {
 public:
  /// RunError where the ranks cannot share memory. Collective.
  explicit FinalizeBoard(MPI_Comm comm);

  /// Ranks that tell; none on other nodes.
  [[nodiscard]] int ranks() const { return ranks_; }

  /// This rank's time [s]; nothing on other nodes. Once.
  void tell(double seconds);

  /// The times [s] of the ranks that have told, in order of ranks, when all have or no more time is
  /// left: MPI does not promise that any but rank 0 returns from MPI_Finalize. On rank 0.
  [[nodiscard]] std::vector<double> collect(std::chrono::milliseconds patience) const;

 private:
  /// One rank's line on the board.
  struct Line {
    double seconds;
    Handoff is_told;
  };

  [[nodiscard]] Line* line(int rank) const;

  int ranks_ = 0;
  int rank_ = 0;  ///< among them
  std::optional<SharedMemory> memory_;
};

}  // namespace hockney::benchmarks::programs
