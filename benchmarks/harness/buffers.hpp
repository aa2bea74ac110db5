#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hockney::benchmarks {

/// Test data: 64-bit words in an arithmetic progression modulo 2^64 whose start and odd step come
/// from `seed`. No two words of a message are equal, so a swapped, shifted or altered block shows.
void fill_pattern(std::span<std::byte> data, std::uint64_t seed);

/// The bitwise complement of the pattern: wrong in every single byte.
void fill_wrong_pattern(std::span<std::byte> data, std::uint64_t seed);

/// Whether every byte is as fill_pattern left it.
bool holds_pattern(std::span<const std::byte> data, std::uint64_t seed);

/// The seed of the data that `rank` sends in the measurement block with `block_seed`.
std::uint64_t pattern_seed(std::uint64_t block_seed, int rank);

/// Unmaps memory of a known size.
struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const;
};
using MappedMemory = std::unique_ptr<std::byte, Unmap>;

/// When the pages of a mapping come into being.
enum class Pages {
  touched_now,   ///< at once
  on_touch,      ///< at the first access, one by one
  huge_on_touch  ///< the same, as huge pages where the system gives them without being asked
};

/// New memory; RunError when the system refuses it.
MappedMemory map_memory(std::size_t bytes, Pages pages);

}  // namespace hockney::benchmarks
