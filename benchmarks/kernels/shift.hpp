#pragma once

#include <mpi.h>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {

/// A block of each factor twice: what is multiplied, and room for what comes next. Blocks of A go
/// to the left in their row of processes, those of B up in their column, all round.
struct FactorBlocks {
  MPI_Comm comm = MPI_COMM_NULL;
  int elements = 0;                 ///< of a block
  std::array<double*, 4> memory{};  ///< of A, of B, of A next, of B next, one after the other
  std::array<int, 2> to{};          ///< ranks that take this rank's blocks of A and of B
  std::array<int, 2> from{};        ///< whose blocks come next

  /// The block of A (0) or of B (1) of one of the two turns.
  [[nodiscard]] double* block(int turn, std::size_t factor) const {
    return memory.at(2 * static_cast<std::size_t>(turn) + factor);
  }
};

/// Passes blocks on, in one way of communicating. The calls are unchecked: they run inside the
/// timed region.
class Shift {
 public:
  Shift() = default;
  Shift(const Shift&) = delete;
  Shift& operator=(const Shift&) = delete;
  Shift(Shift&&) = delete;
  Shift& operator=(Shift&&) = delete;
  virtual ~Shift() = default;

  /// Starts to send the blocks of a turn, which may be read, but not change, until end().
  virtual void begin(int turn) = 0;
  /// Returns when the blocks of the other turn are those of the neighbours.
  virtual void end(int turn) = 0;
};

/// A way of communicating. Making one is collective.
struct ShiftWay {
  std::string name;
  std::string calls;  ///< of MPI, for --list
  Overlap overlap = Overlap::possible;
  std::unique_ptr<Shift> (*make)(const FactorBlocks& blocks) = nullptr;
};

/// All ways, the blocking one first.
const std::vector<ShiftWay>& shift_ways();
/// InputError naming the nearest for a way there is not.
const ShiftWay& find_shift_way(const std::string& name);

}  // namespace hockney::benchmarks::kernels
