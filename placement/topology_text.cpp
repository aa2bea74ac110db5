#include "placement/topology_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

namespace hockney {
namespace {

constexpr std::size_t saturation = std::size_t{1} << 40U;

/// The text without what stands in parentheses (attributes) or brackets (attached memory).
std::string levels_only(std::string_view text) {
  std::string levels;
  int depth = 0;
  for (const char letter : text) {
    if (letter == '(' || letter == '[') ++depth;
    if (depth == 0) levels += letter;
    if (letter == ')' || letter == ']') --depth;
  }
  return levels;
}

std::optional<std::size_t> level_count(const std::string& level) {
  const std::size_t colon = level.rfind(':');
  const std::string number = colon == std::string::npos ? level : level.substr(colon + 1);
  char* end = nullptr;
  const std::size_t count = std::strtoul(number.c_str(), &end, 0);
  if (number.empty() || *end != '\0') return std::nullopt;
  return count;
}

bool has_attribute(std::string_view element, const std::string& name) {
  return element.find(" " + name + "=\"") != std::string_view::npos;
}

}  // namespace

std::optional<int> xml_major_version(std::string_view xml) {
  const std::size_t start = xml.find("<topology");
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view element = xml.substr(start, xml.find('>', start) - start);
  constexpr std::string_view attribute = "version=\"";
  const std::size_t version = element.find(attribute);
  if (version == std::string_view::npos) return 1;
  return std::atoi(std::string(element.substr(version + attribute.size())).c_str());
}

bool xml_has_half_a_set(std::string_view xml) {
  constexpr std::string_view tag = "<object ";
  for (std::size_t at = xml.find(tag); at < xml.size(); at = xml.find(tag, at + 1)) {
    const std::string_view element = xml.substr(at, xml.find('>', at) - at);
    for (const std::string set : {"cpuset", "nodeset"}) {
      if (has_attribute(element, set) != has_attribute(element, "complete_" + set)) return true;
    }
  }
  return false;
}

std::optional<std::size_t> synthetic_pu_count(std::string_view text) {
  std::istringstream levels(levels_only(text));
  std::size_t product = 1;
  for (std::string level; levels >> level;) {
    const std::optional<std::size_t> count = level_count(level);
    if (!count) return std::nullopt;
    product = *count == 0 || product <= saturation / *count ? product * *count : saturation;
  }
  return product;
}

}  // namespace hockney
