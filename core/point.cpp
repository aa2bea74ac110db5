#include "core/point.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/text.hpp"

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

constexpr std::array leading{"ranks", "hop", "bytes"};

std::string plain(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter == '/' || letter == ' ' || letter == '\n'; }, '+');
  return text;
}

}  // namespace

bool is_plain_value(std::string_view key, std::string_view value) {
  return std::ranges::find(plain_values, std::pair(key, value)) != plain_values.end();
}

bool is_unsaid(std::string_view key, std::string_view value) {
  return (key == "cache" && value == "hot") || (key == "memory" && value == "host");
}

std::string curve_name(const Point& point) {
  std::string name = fmt::format("{} ranks={}", point.operation, point.ranks);
  if (point.hop) name += " hop=" + *point.hop;
  if (point.algorithm) name += " algorithm=" + *point.algorithm;
  if (!point.pair.empty()) name += " pair=" + join_numbers(point.pair, "-");
  for (const auto& [key, value] : point.parameters) {
    if (is_unsaid(key, value) || is_automatic(point, key)) continue;
    name += fmt::format(" {}={}", key, value);
  }
  return name;
}

int default_window(Bytes bytes) {
  constexpr std::int64_t most_messages = 64;
  constexpr std::int64_t most_bytes = std::int64_t{32} << 20;
  const std::int64_t fitting = most_bytes / std::max<std::int64_t>(1, bytes.value);
  return static_cast<int>(std::clamp<std::int64_t>(fitting, 1, most_messages));
}

bool is_automatic(const Point& point, std::string_view parameter) {
  return std::ranges::find(point.automatic, parameter) != point.automatic.end();
}

void keep_common_path(Point& pooled, const Point& other) {
  if (pooled.path != other.path) pooled.path.reset();
}

std::string SeriesName::text() const {
  std::vector<std::string> point;
  const auto add = [&](const std::string& key, const std::string& value) {
    point.push_back(fmt::format("{}={}", plain(key), plain(value)));
  };
  for (const char* key : leading) {
    if (keys.contains(key)) add(key, keys.at(key));
  }
  for (const auto& [key, value] : keys) {
    if (std::ranges::find(leading, key) == leading.end()) add(key, value);
  }
  return fmt::format("{}/{}/{}", plain(operation), join(point, " "), plain(figure));
}

std::string SeriesName::at(const std::string& key) const {
  const auto found = keys.find(key);
  return found == keys.end() ? "" : found->second;
}

SeriesName parse_series_name(std::string_view text) {
  const std::vector<std::string> parts = split(text, '/');
  if (parts.size() != 3) return {.operation = plain(std::string(text)), .keys = {}, .figure = ""};
  SeriesName name{.operation = plain(parts[0]), .keys = {}, .figure = plain(parts[2])};
  for (const std::string& assignment : split(parts[1], ' ')) {
    const std::size_t equals = assignment.find('=');
    if (equals != std::string::npos) {
      name.keys[plain(assignment.substr(0, equals))] = plain(assignment.substr(equals + 1));
    }
  }
  return name;
}

std::map<std::string, std::string> series_keys(const Point& point) {
  std::map<std::string, std::string> keys;
  if (point.ranks > 0) keys["ranks"] = std::to_string(point.ranks);
  if (point.hop) keys["hop"] = *point.hop;
  if (!point.hop && !point.pair.empty()) {
    keys["pair"] = join_numbers(point.pair, "-");
  }
  for (const auto& [key, value] : point.parameters) {
    if (!is_unsaid(key, value)) keys[key] = value;
  }
  return keys;
}

bool matches(std::string_view name, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t next = 0;
  std::size_t star = std::string_view::npos;  // the last star, and the first character after its
                                              // text
  std::size_t mark = 0;
  while (at < name.size()) {
    if (next < pattern.size() && pattern[next] == '*') {
      star = next++;
      mark = at;
    } else if (next < pattern.size() && pattern[next] == name[at]) {
      ++at;
      ++next;
    } else if (star != std::string_view::npos) {
      next = star + 1;
      at = ++mark;
    } else {
      return false;
    }
  }
  while (next < pattern.size() && pattern[next] == '*') ++next;
  return next == pattern.size();
}

}  // namespace hockney
