#pragma once

#include <mpi.h>
#include <sys/types.h>
#include <cstddef>
#include <cstdint>

#include "benchmarks/harness/buffers.hpp"

namespace hockney {

/// Lets every process of this user read our memory where the kernel asks us (Yama's
/// ptrace_scope 1). Nothing elsewhere.
void admit_readers();

/// Memory of another process on this node.
struct PeerMemory {
  pid_t process = 0;
  std::uint64_t address = 0;
};

/// Copies so many bytes from there with process_vm_readv; 0, or the error number where the kernel
/// refuses.
int read_peer(const PeerMemory& from, std::byte* to, std::size_t bytes);

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
