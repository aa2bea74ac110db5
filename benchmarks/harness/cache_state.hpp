#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

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

}  // namespace hockney::benchmarks
