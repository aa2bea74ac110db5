#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/harness/buffer_ring.hpp"

namespace hockney::benchmarks {

/// How many of the pages that hold `memory` exist: those that were touched.
inline std::ptrdiff_t resident_pages(std::span<std::byte> memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t first = address / page_bytes * page_bytes;
  const std::size_t bytes = address + memory.size() - first;
  std::vector<unsigned char> states((bytes + page_bytes - 1) / page_bytes);
  ::mincore(memory.data() - (address - first), bytes, states.data());
  return std::ranges::count_if(states, [](unsigned char state) { return (state & 1U) != 0; });
}

}  // namespace hockney::benchmarks
