#include "benchmarks/harness/cache_state.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {

const std::vector<std::string>& cache_names() {
  static const std::vector<std::string> names{"hot", "cold", "fresh"};
  return names;
}

const std::string& cache_name(CacheState state) {
  return cache_names()[static_cast<std::size_t>(state)];
}

CacheState parse_cache(const std::string& name) {
  const auto& names = cache_names();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<CacheState>(found - names.begin());
  throw InputError({"unknown cache state '" + name + "'",
                    "buffers are in the caches, out of them, or in untouched pages",
                    suggest(name, names)});
}

}  // namespace hockney
