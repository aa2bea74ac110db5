#pragma once

#include <mpi.h>
#include <vector>

#include "benchmarks/harness/handle.hpp"
#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {

/// The fields of all blocks as memory into which neighbours put their cells.
class ExposedFields {
 public:
  /// Collective over the block's communicator.
  explicit ExposedFields(const HaloBlock& block);

  [[nodiscard]] MPI_Win window() const { return window_.get(); }
  [[nodiscard]] const std::vector<const Face*>& open_faces() const { return open_; }
  /// The inner cells of a field into the ghosts of all neighbours.
  void put(int field) const;

 private:
  const HaloBlock& block_;
  std::vector<const Face*> open_;
  UniqueWin window_;
};

}  // namespace hockney::benchmarks::kernels
