#pragma once

#include <cstdint>

namespace hockney::benchmarks {

/// Copies from or to the memory of other processes.
struct CopyCalls {
  std::int64_t calls = 0;  ///< of process_vm_readv and process_vm_writev
  std::int64_t bytes = 0;  ///< that these calls copied [B]

  friend bool operator==(const CopyCalls&, const CopyCalls&) = default;
};

/// Type of the function in libhockney-transport-watch.so that returns the copies of this process so
/// far.
using CopiesSoFar = void (*)(CopyCalls& counted);
inline constexpr const char* copies_so_far = "hockney_copies_so_far";

}  // namespace hockney::benchmarks
