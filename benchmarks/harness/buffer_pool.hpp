#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/buffers.hpp"

namespace hockney::benchmarks {

/// A pool is so many times larger than what one measurement block needs.
inline constexpr std::size_t pool_places = 4;

/// A place in memory of the pool; valid until the next one is drawn from there.
struct DrawnMemory {
  const BufferMemory* memory = nullptr;
  std::size_t at = 0;  ///< where it begins in it [B]
  std::size_t bytes = 0;

  [[nodiscard]] std::byte* data() const { return memory->data() + at; }
  [[nodiscard]] std::size_t size() const { return bytes; }
};

/// Memory from which every measurement block draws its buffers at a new random place, page-aligned,
/// so that no point is tied to one lucky or unlucky set of physical pages. Pages are touched before
/// they are handed out; the core that draws first is the one they are near to, unless the memory is
/// of a kind that is elsewhere. Every kind has memory of its own.
class BufferPool {
 public:
  /// `local_rank` chooses a device.
  explicit BufferPool(std::uint64_t seed, int local_rank = 0)
      : draw_(seed), local_rank_(local_rank) {}

  /// So many bytes. RunError when there are none.
  DrawnMemory draw(std::size_t bytes, const Memory& memory = {});

  /// The same for rings larger than the caches, from memory apart, so that it stays as large as the
  /// largest ring and a little.
  DrawnMemory draw_ring(std::size_t bytes, const Memory& memory = {});

  /// The same memory of the host every time, on pages that stay for as long as the pool, unless
  /// more is asked for: then other memory takes its place. RunError when there is none.
  std::span<std::byte> keep(std::size_t bytes);

  /// Whether all memory of a kind that it has now is what was asked for.
  [[nodiscard]] bool is_proven(const Memory& memory) const;

  /// What all memory that it ever had of a kind turned out to be; nothing of host memory.
  [[nodiscard]] const std::map<Memory, std::vector<MemoryEvidence>>& evidence() const {
    return evidence_;
  }

 private:
  struct Room {
    BufferMemory memory;
    std::size_t capacity = 0;
  };

  /// From `room`, which first becomes `least` bytes large if it is smaller.
  DrawnMemory draw(Room& room, std::size_t bytes, std::size_t least, const Memory& memory);
  void note(const Memory& memory, const MemoryEvidence& found);

  std::map<Memory, Room> small_;
  std::map<Memory, Room> rings_;
  std::map<Memory, std::vector<MemoryEvidence>> evidence_;
  MappedMemory kept_;
  std::mt19937_64 draw_;
  int local_rank_;
};

}  // namespace hockney::benchmarks
