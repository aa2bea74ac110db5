#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// State of an operation's buffers when it begins.
enum class CacheState {
  hot,   ///< the same in all iterations of a block: cached, as far as they fit
  cold,  ///< least recently used among more bytes than the caches hold
  fresh  ///< in untouched pages, except that sent data have been written
};

constexpr auto words_of(std::type_identity<CacheState>) {
  return std::to_array<std::string_view>({"hot", "cold", "fresh"});
}

inline constexpr Parameter<CacheState> cache_parameter{"cache"};

/// How the buffers of one rank rotate at one point.
struct CachePlan {
  CacheState state = CacheState::hot;
  /// Cold: bytes touched between two uses of a buffer, at least. Fresh: bytes mapped for one block,
  /// at most, but always enough for two iterations. Hot: unused. [B]
  std::size_t bytes = 0;
  std::size_t line_bytes = 64;  ///< of the last-level cache [B]

  friend bool operator==(const CachePlan&, const CachePlan&) = default;
};

/// Ratio of the size of a pool to the need of one measurement block.
inline constexpr std::size_t pool_places = 4;

/// A place in memory of the pool; valid until the next draw from the same memory.
struct DrawnMemory {
  const BufferMemory* memory = nullptr;
  std::size_t at = 0;  ///< offset in it [B]
  std::size_t bytes = 0;

  [[nodiscard]] std::byte* data() const { return memory->data() + at; }
  [[nodiscard]] std::size_t size() const { return bytes; }
};

/// Memory from which every measurement block draws its buffers at a new random place, page-aligned,
/// so that no point depends on one lucky or unlucky set of physical pages. Pages are touched before
/// use; host pages are allocated near the core that draws first. Each kind of memory has a separate
/// pool.
class BufferPool {
 public:
  /// `local_rank` selects a device.
  explicit BufferPool(std::uint64_t seed, int local_rank = 0)
      : draw_(seed), local_rank_(local_rank) {}

  /// Draws `bytes` bytes. RunError if they are not available.
  DrawnMemory draw(std::size_t bytes, const Memory& memory = {});

  /// The same for rings larger than the caches, from separate memory, which stays as large as the
  /// largest ring and a little more.
  DrawnMemory draw_ring(std::size_t bytes, const Memory& memory = {});

  /// Returns the same host memory every time, on pages that stay as long as the pool. A larger
  /// request replaces it by other memory. RunError if it is not available.
  std::span<std::byte> keep(std::size_t bytes);

  /// Whether all memory of a kind that the pool has now is the requested one.
  [[nodiscard]] bool is_proven(const Memory& memory) const;

  /// The evidence on all memory of a kind that the pool ever had; none for host memory.
  [[nodiscard]] const std::map<Memory, std::vector<MemoryEvidence>>& evidence() const {
    return evidence_;
  }

 private:
  struct Room {
    BufferMemory memory;
    std::size_t capacity = 0;
  };

  /// Draws from `room`, which first grows to `least` bytes if it is smaller.
  DrawnMemory draw(Room& room, std::size_t bytes, std::size_t least, const Memory& memory);
  void note(const Memory& memory, const MemoryEvidence& found);

  std::map<Memory, Room> small_;
  std::map<Memory, Room> rings_;
  std::map<Memory, std::vector<MemoryEvidence>> evidence_;
  MappedMemory kept_;
  std::mt19937_64 draw_;
  int local_rank_;
};

/// Layout of an operation's buffers in one place of its ring, one after the other.
///
/// - hot: each buffer starts on a new page, followed by up to one page more, so that buffers are
///   not powers of two apart.
/// - fresh: each buffer starts on a new page, or on a huge page if it is as large as one.
/// - cold: each buffer starts on a new pair of cache lines (prefetchers fetch pairs), or on a page
///   if it is larger. A place is an odd number of these units long, so that the starts of places
///   use all sets of a cache.
class Layout {
 public:
  explicit Layout(const CachePlan& plan) : plan_(plan) {}

  /// Offset of the new buffer in the place [B].
  std::size_t add(std::size_t bytes);

  /// Distance between places [B]; at least 1.
  [[nodiscard]] std::size_t place_bytes() const;
  /// Bytes of one place that the caches load: the whole lines of its buffers [B].
  [[nodiscard]] std::size_t touched_bytes() const { return touched_; }
  /// Alignment of places [B].
  [[nodiscard]] std::size_t alignment() const { return alignment_; }

 private:
  [[nodiscard]] std::size_t unit_for(std::size_t bytes) const;

  CachePlan plan_;
  std::size_t end_ = 0;
  std::size_t touched_ = 0;
  std::size_t alignment_ = 1;
};

inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

class Buffer;

/// The buffers of one operation on one rank: a ring of places, each with room for all buffers. An
/// operation draws its buffers in its constructor and uses them like fixed ones; from one iteration
/// to the next they move to the next place.
///
/// Hot: the ring has one place. Cold: the ring has at least as many bytes as the plan requests. A
/// measurement block uses places at its front, and evict() touches the rest, so that between two
/// uses of a place all others are touched. Fresh: the ring is mapped anew, with one place for each
/// iteration of the measurement block.
///
/// Memory on a device is for MPI only, and always hot. Operations fill and check its image on the
/// host, which is copied to and from the device outside of the timed region.
class BufferRing {
 public:
  BufferRing(BufferPool& pool, const CachePlan& plan, const Memory& memory = {})
      : pool_(pool), plan_(plan), memory_kind_(memory), layout_(plan) {}
  BufferRing(const BufferRing&) = delete;
  BufferRing& operator=(const BufferRing&) = delete;
  BufferRing(BufferRing&&) = delete;
  BufferRing& operator=(BufferRing&&) = delete;
  ~BufferRing() = default;

  /// Draws one buffer for each size [B]. The sizes must be the same on every rank, so that all
  /// ranks use the same place. The buffers have no memory before take().
  std::vector<Buffer> draw(const std::vector<std::size_t>& sizes);

  /// Releases the memory of the previous call, takes memory for a measurement block of
  /// `iterations` iterations, and moves to the front. RunError if memory is not available.
  void take(std::int64_t iterations);

  /// Memory of the pool with a fixed place, for operations without rings (BufferPool::keep).
  [[nodiscard]] std::span<std::byte> keep(std::size_t bytes) { return pool_.keep(bytes); }

  /// Most iterations after one take(). Cold: no limit. Fresh: as many as have mapped memory.
  /// nullopt for hot buffers.
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const;

  /// False if there is only one place.
  [[nodiscard]] bool rotates() const { return plan_.state != CacheState::hot; }

  /// Moves to the next place in use; the first follows the last. Consecutive places are far apart
  /// in memory, so that no prefetcher predicts them.
  void advance() {
    at_ += step_;
    if (at_ >= length_) at_ -= length_;
    place_ = memory_ + at_;
  }

  /// Number of places that the measurement block uses.
  [[nodiscard]] std::int64_t places() const {
    return static_cast<std::int64_t>(length_ / layout_.place_bytes());
  }

  /// Current offset of the ring, for returning to it [B]; 0 is the front.
  [[nodiscard]] std::size_t position() const { return at_; }
  void go_to(std::size_t position) {
    at_ = position;
    place_ = memory_ + at_;
  }

  /// Copies the current place from its image to the device, and back. No effect for host memory.
  /// RunError if the device's runtime refuses.
  void bring_to_device() const;
  void bring_from_device() const;

  /// The runtime of the memory's device; nullptr for host memory. Only after take().
  [[nodiscard]] const DeviceRuntime* runtime() const {
    return drawn_.memory == nullptr ? nullptr : drawn_.memory->runtime();
  }

  /// Cold: writes to every line of the ring that the measurement block does not use. Otherwise no
  /// effect.
  void evict();

  /// Whether receive buffers may be written to before the call.
  [[nodiscard]] bool may_poison() const { return plan_.state != CacheState::fresh; }

 private:
  friend class Buffer;

  void take_hot();
  void take_cold(std::size_t wanted);
  void take_fresh(std::size_t wanted);
  void use(std::byte* memory, std::size_t places);

  BufferPool& pool_;
  CachePlan plan_;
  Memory memory_kind_;
  Layout layout_;
  MappedMemory fresh_;
  DrawnMemory drawn_;           ///< for hot buffers
  std::byte* image_ = nullptr;  ///< host image of the place; nullptr for host memory
  std::byte* memory_ = nullptr;
  std::byte* place_ = nullptr;
  std::size_t at_ = 0;      ///< offset of place_ in memory_ [B]
  std::size_t step_ = 0;    ///< between places in use [B]
  std::size_t length_ = 0;  ///< all places in use together [B]
  std::span<std::byte> rest_;
};

/// One buffer of an operation, at its ring's current place. Only after BufferRing::take. data() is
/// for MPI and may be on a device; the host writes and reads bytes().
class Buffer {
 public:
  Buffer() = default;
  Buffer(const BufferRing& ring, std::size_t offset, std::size_t bytes)
      : ring_(&ring), offset_(offset), bytes_(bytes) {}

  [[nodiscard]] std::byte* data() const { return ring_->place_ + offset_; }
  [[nodiscard]] std::span<std::byte> bytes() const {
    return {ring_->image_ == nullptr ? data() : ring_->image_ + offset_, bytes_};
  }
  /// The bytes to poison before receiving: all, or none if the pages must stay untouched.
  [[nodiscard]] std::span<std::byte> to_poison() const {
    return bytes().first(ring_->may_poison() ? bytes_ : 0);
  }
  /// Copies bytes() to data(), if they differ: for data written after the refill.
  void bring_to_device() const;

 private:
  const BufferRing* ring_ = nullptr;
  std::size_t offset_ = 0;
  std::size_t bytes_ = 0;
};

/// The seed of the data at a place; different for each place, as iterations send different
/// messages.
inline std::uint64_t place_seed(std::uint64_t block_seed, std::int64_t place) {
  return block_seed + static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15U;
}

}  // namespace hockney::benchmarks
