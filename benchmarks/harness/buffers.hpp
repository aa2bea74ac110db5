#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
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

/// A pool is so many times larger than what one measurement block needs.
inline constexpr std::size_t pool_places = 4;

/// Memory from which every measurement block draws its buffers at a new random place, page-aligned,
/// so that no point is tied to one lucky or unlucky set of physical pages. Pages are touched before
/// they are handed out; the core that draws first is the one they are near to.
class BufferPool {
 public:
  explicit BufferPool(std::uint64_t seed) : draw_(seed) {}

  /// So many bytes, valid until the next call.
  std::span<std::byte> draw(std::size_t bytes);

  /// The same for rings larger than the caches, from memory apart, so that it stays as large as the
  /// largest ring and a little.
  std::span<std::byte> draw_ring(std::size_t bytes);

 private:
  struct Room {
    MappedMemory memory;
    std::size_t capacity = 0;
  };

  /// From `room`, which first becomes `least` bytes large if it is smaller.
  std::span<std::byte> draw(Room& room, std::size_t bytes, std::size_t least);

  Room small_;
  Room rings_;
  std::mt19937_64 draw_;
};

}  // namespace hockney::benchmarks
