#include "core/point.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hockney {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> plain_values{
    {{"in-place", "no"},
     {"counts", "equal"},
     {"root", "first"},
     {"work", "none"},
     {"cache", "hot"},
     {"memory", "host"},
     {"cadence", "isolated"},
     {"mapping", "linear"},
     {"communicator", "world"}}};

}  // namespace

bool is_plain_value(std::string_view key, std::string_view value) {
  return std::ranges::find(plain_values, std::pair(key, value)) != plain_values.end();
}

bool is_unsaid(std::string_view key, std::string_view value) {
  return (key == "cache" && value == "hot") || (key == "memory" && value == "host");
}

std::string curve_name(const Point& point) {
  std::string name = point.operation + " ranks=" + std::to_string(point.ranks);
  if (point.hop) name += " hop=" + *point.hop;
  if (point.algorithm) name += " algorithm=" + *point.algorithm;
  if (!point.pair.empty()) {
    name += " pair=";
    for (const int rank : point.pair) {
      name += (name.back() == '=' ? "" : "-") + std::to_string(rank);
    }
  }
  for (const auto& [key, value] : point.parameters) {
    if (!is_unsaid(key, value)) name += " " + key + "=" + value;
  }
  return name;
}

void keep_common_path(Point& pooled, const Point& other) {
  if (pooled.path != other.path) pooled.path.reset();
}

}  // namespace hockney
