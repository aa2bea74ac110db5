#pragma once

#include <cstdint>

namespace hockney {

/// Copies from or to the memory of other processes.
struct CopyCalls {
  std::int64_t calls = 0;  ///< of process_vm_readv and process_vm_writev
  std::int64_t bytes = 0;  ///< they copied [B]

  friend bool operator==(const CopyCalls&, const CopyCalls&) = default;
};

/// Those of this process since it began, by whichever library. A program that asks is linked with
/// functions of the same names as libc's, which the dynamic linker finds first for everybody: they
/// count, and pass the call on to the kernel. Libraries that go round libc are not seen.
CopyCalls copy_calls();

}  // namespace hockney
