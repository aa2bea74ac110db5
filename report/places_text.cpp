#include "report/places_text.hpp"

#include <vector>

#include "core/names.hpp"

namespace hockney {

std::string places_text(const std::map<std::string, std::string>& places) {
  std::vector<std::string> parts;
  for (const auto& [axis, value] : places) parts.push_back(axis + "=" + value);
  return parts.empty() ? "" : ", at " + join(parts, ",");
}

}  // namespace hockney
