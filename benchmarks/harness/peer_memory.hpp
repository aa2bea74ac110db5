#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

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

}  // namespace hockney
