#include "benchmarks/harness/cache_state.hpp"

#include "core/named_values.hpp"

namespace hockney::benchmarks {
namespace {

constexpr NamedValues<CacheState, 3> cache_words{
    {{CacheState::hot, "hot"}, {CacheState::cold, "cold"}, {CacheState::fresh, "fresh"}}};

}  // namespace

std::vector<std::string> cache_names() { return names_in(cache_words); }

std::string cache_name(CacheState state) { return name_in(cache_words, state); }

CacheState parse_cache(const std::string& name) {
  return value_in(cache_words, name, "unknown cache state '" + name + "'",
                  "buffers are in the caches, out of them, or in untouched pages");
}

}  // namespace hockney::benchmarks
