#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"

namespace hockney::benchmarks::programs {

/// Operations of every kind that a launch treats in its own way: all but most of the collectives
/// and of the one-sided ones, which it treats alike. Every library has them.
inline std::vector<std::string> some_operations() {
  constexpr std::array<std::string_view, 8> chosen{"allreduce", "alltoallv",  "barrier", "bcast",
                                                   "get-rate",  "iallreduce", "put",     "reduce"};
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    const std::string_view name = entry.descriptor.name;
    const bool has_likes = entry.descriptor.single || entry.descriptor.one_sided;
    const bool is_wanted = !has_likes || std::ranges::find(chosen, name) != chosen.end();
    if (is_wanted) names.emplace_back(name);
  }
  return names;
}

}  // namespace hockney::benchmarks::programs
