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

/// Where the buffers of an operation are when it begins.
enum class CacheState {
  hot,   ///< the same for all iterations of a block: in the caches, as far as they fit
  cold,  ///< those that were not touched for the longest time, by more than the caches hold
  fresh  ///< in pages that nobody has touched; only what is sent has been written
};

constexpr auto words_of(std::type_identity<CacheState>) {
  return std::to_array<std::string_view>({"hot", "cold", "fresh"});
}

inline constexpr Parameter<CacheState> cache_parameter{"cache"};

/// How the buffers of one rank rotate at one point.
struct CachePlan {
  CacheState state = CacheState::hot;
  /// Cold: touched between two uses of a buffer, at least. Fresh: mapped for one block, at most
  /// (but for two iterations always). Hot: without meaning. [B]
  std::size_t bytes = 0;
  std::size_t line_bytes = 64;  ///< of the last-level cache [B]

  friend bool operator==(const CachePlan&, const CachePlan&) = default;
};

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

/// How the buffers of an operation lie in one place of its ring, one after the other.
///
/// hot: each on pages of its own, and up to one more, so that powers of two are not apart by powers
/// of two. fresh: each on pages of its own, or huge pages when it is as large as one. cold: each on
/// pairs of cache lines of its own (prefetchers fetch pairs), or on pages when it is larger; a
/// place is an odd number of these units long, so that the starts of places fall on all sets of a
/// cache instead of few.
class Layout {
 public:
  explicit Layout(const CachePlan& plan) : plan_(plan) {}

  /// Where the buffer begins in the place [B].
  std::size_t add(std::size_t bytes);

  /// From one place to the next [B]; at least 1.
  [[nodiscard]] std::size_t place_bytes() const;
  /// What the caches see of one place: the whole lines of its buffers [B].
  [[nodiscard]] std::size_t touched_bytes() const { return touched_; }
  /// What the start of a place must be a multiple of [B].
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

/// The buffers of one operation on one rank, as a ring of places with room for all of them. An
/// operation draws buffers in its constructor and works on them as if they were the only ones; from
/// one iteration to the next they move on to the next place. Hot: there is one place.
///
/// Cold: the ring holds at least the bytes of the plan. A measurement block uses places at its
/// front, and evict() touches the rest, so that between any two uses of a place all others were
/// touched. Fresh: as many places as the measurement block has iterations, mapped anew.
///
/// Memory on a device is for MPI: operations fill and check its image on the host, which is brought
/// to the device and back outside of what is timed. It is hot only.
class BufferRing {
 public:
  BufferRing(BufferPool& pool, const CachePlan& plan, const Memory& memory = {})
      : pool_(pool), plan_(plan), memory_kind_(memory), layout_(plan) {}
  BufferRing(const BufferRing&) = delete;
  BufferRing& operator=(const BufferRing&) = delete;
  BufferRing(BufferRing&&) = delete;
  BufferRing& operator=(BufferRing&&) = delete;
  ~BufferRing() = default;

  /// One buffer for each size [B]; the same sizes on every rank, so that all ranks are at the same
  /// place. They have no memory before take().
  std::vector<Buffer> draw(const std::vector<std::size_t>& sizes);

  /// Takes memory for a measurement block of so many iterations and goes to the front. RunError
  /// when there is none. Memory of the take before is given back.
  void take(std::int64_t iterations);

  /// Memory of the pool that stays where it is, for operations that have no places
  /// (BufferPool::keep).
  [[nodiscard]] std::span<std::byte> keep(std::size_t bytes) { return pool_.keep(bytes); }

  /// How many iterations may follow one take(): cold as many as you like, fresh as many as memory
  /// is mapped for. nullopt for hot buffers, which take no account of them.
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const;

  /// False when there is one place only, whatever the number of iterations.
  [[nodiscard]] bool rotates() const { return plan_.state != CacheState::hot; }

  /// On to the next place in use; after the last one comes the first one again. Neighbours in this
  /// order are far apart in memory, so that no prefetcher follows.
  void advance() {
    at_ += step_;
    if (at_ >= length_) at_ -= length_;
    place_ = memory_ + at_;
  }

  /// Places that the measurement block uses.
  [[nodiscard]] std::int64_t places() const {
    return static_cast<std::int64_t>(length_ / layout_.place_bytes());
  }

  /// Where the ring stands, for going back to it [B]; 0 is the front.
  [[nodiscard]] std::size_t position() const { return at_; }
  void go_to(std::size_t position) {
    at_ = position;
    place_ = memory_ + at_;
  }

  /// Brings the place where the ring stands from its image to the device, and back. Nothing for
  /// memory of the host. RunError when the device's runtime refuses.
  void bring_to_device() const;
  void bring_from_device() const;

  /// The runtime of the device that the memory is on; nullptr on the host. Only after take().
  [[nodiscard]] const DeviceRuntime* runtime() const {
    return drawn_.memory == nullptr ? nullptr : drawn_.memory->runtime();
  }

  /// Cold: writes to every line of the ring that the measurement block does not use. Nothing
  /// otherwise.
  void evict();

  /// Whether a buffer that will be received into may be written to before.
  [[nodiscard]] bool may_spoil() const { return plan_.state != CacheState::fresh; }

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
  DrawnMemory drawn_;           ///< of hot buffers
  std::byte* image_ = nullptr;  ///< of the place on the host; nullptr where the memory is there
  std::byte* memory_ = nullptr;
  std::byte* place_ = nullptr;
  std::size_t at_ = 0;      ///< of place_ in memory_ [B]
  std::size_t step_ = 0;    ///< from one place to the next in use [B]
  std::size_t length_ = 0;  ///< of all places in use [B]
  std::span<std::byte> rest_;
};

/// One buffer of an operation, at the place where its ring stands. Only after BufferRing::take.
/// data() is for MPI, and may be on a device; what the host writes and reads is in bytes().
class Buffer {
 public:
  Buffer() = default;
  Buffer(const BufferRing& ring, std::size_t offset, std::size_t bytes)
      : ring_(&ring), offset_(offset), bytes_(bytes) {}

  [[nodiscard]] std::byte* data() const { return ring_->place_ + offset_; }
  [[nodiscard]] std::span<std::byte> bytes() const {
    return {ring_->image_ == nullptr ? data() : ring_->image_ + offset_, bytes_};
  }
  /// What to spoil before receiving: all of it, or nothing where its pages must stay untouched.
  [[nodiscard]] std::span<std::byte> to_spoil() const {
    return bytes().first(ring_->may_spoil() ? bytes_ : 0);
  }
  /// What bytes() holds becomes what data() holds: for what is written after the refill.
  void bring_to_device() const;

 private:
  const BufferRing* ring_ = nullptr;
  std::size_t offset_ = 0;
  std::size_t bytes_ = 0;
};

/// The seed of the data at a place, so that the message of one iteration is not that of another.
inline std::uint64_t place_seed(std::uint64_t block_seed, std::int64_t place) {
  return block_seed + static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15U;
}

}  // namespace hockney::benchmarks
