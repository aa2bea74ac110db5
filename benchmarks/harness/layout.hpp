#pragma once

#include <cstddef>
#include <vector>

#include "benchmarks/harness/cache_state.hpp"

namespace hockney {

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

}  // namespace hockney
