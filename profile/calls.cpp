#include "profile/calls.hpp"

#include <algorithm>
#include <iterator>

namespace hockney::profile {

std::optional<Function> find_call(std::string_view name) {
  if (!name.starts_with("MPI_")) return std::nullopt;
  name.remove_prefix(4);
  const auto* const found = std::ranges::find(call_table, name, &Call::name);
  if (found == std::end(call_table)) return std::nullopt;
  return static_cast<Function>(found - std::begin(call_table));
}

}  // namespace hockney::profile
