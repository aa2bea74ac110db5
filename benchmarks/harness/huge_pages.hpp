#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "benchmarks/harness/buffers.hpp"

namespace hockney::benchmarks {

/// How much of some memory lies in huge pages [B].
struct HugeBytes {
  std::size_t reserved = 0;     ///< in pages that were set apart for it (MAP_HUGETLB)
  std::size_t transparent = 0;  ///< in pages that the kernel made huge, at least so much
  std::size_t page = 0;         ///< of one of the reserved ones

  friend bool operator==(const HugeBytes&, const HugeBytes&) = default;
};

/// By the text of /proc/self/smaps, which tells of whole mappings: of one that holds more than the
/// memory, what is not in huge pages may all be in this part of it.
HugeBytes huge_bytes(const std::string& smaps, std::uintptr_t begin, std::size_t bytes);

/// New memory in huge pages, reserved ones where there are enough, else transparent ones, as far as
/// the kernel has them; touched. A whole number of huge pages. RunError when the system refuses.
MappedMemory map_huge_memory(std::size_t bytes);

/// What became of it, as the kernel says now.
HugeBytes huge_bytes_of(const void* memory, std::size_t bytes);

}  // namespace hockney::benchmarks
