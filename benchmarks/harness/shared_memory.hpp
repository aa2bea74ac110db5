#pragma once

#include <mpi.h>

#include <cstddef>

#include "benchmarks/harness/buffers.hpp"

namespace hockney {

/// Memory that the ranks of a communicator share, made without MPI's help: zero at first, and gone
/// with its last owner. Ranks must be on one node.
class SharedMemory {
 public:
  /// RunError on every rank when one of them cannot have it. Collective.
  SharedMemory(MPI_Comm comm, std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  MappedMemory memory_;
};

}  // namespace hockney
