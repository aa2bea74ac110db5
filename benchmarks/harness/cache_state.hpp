#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hockney::benchmarks {

/// Where the buffers of an operation are when it begins.
enum class CacheState {
  hot,   ///< the same for all iterations of a block: in the caches, as far as they fit
  cold,  ///< those that were not touched for the longest time, by more than the caches hold
  fresh  ///< in pages that nobody has touched; only what is sent has been written
};

/// "hot", "cold", "fresh".
std::vector<std::string> cache_names();
std::string cache_name(CacheState state);

/// InputError naming the nearest state when there is none called `name`.
CacheState parse_cache(const std::string& name);

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
