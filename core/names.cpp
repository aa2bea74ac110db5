#include "core/names.hpp"

#include <algorithm>
#include <numeric>

namespace hockney {
namespace {

/// Levenshtein distance: the fewest insertions, deletions and replacements of one letter.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const auto nearest = std::ranges::min_element(
      candidates, {}, [&](const std::string& candidate) { return edit_distance(name, candidate); });
  return nearest == candidates.end() ? std::string() : *nearest;
}

std::string suggest(std::string_view name, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return {};
  return "did you mean '" + nearest_name(name, candidates) + "'? Valid: " + join(candidates);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}

std::string join_assignments(const std::map<std::string, std::string>& assignments,
                             std::string_view separator) {
  std::vector<std::string> parts;
  parts.reserve(assignments.size());
  for (const auto& [key, value] : assignments) parts.emplace_back(key).append("=").append(value);
  return join(parts, separator);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace hockney
