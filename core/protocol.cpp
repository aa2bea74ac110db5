#include "core/protocol.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "core/text.hpp"

namespace hockney {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Names of MPI_T are ASCII.
std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c);
  return lower;
}

bool holds_any(std::string_view name, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace

std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes) {
  std::vector<StatedLimit> stated = stated_limits(settings, limit_bytes, limit_bytes);
  for (StatedLimit& limit : stated) limit.header_bytes = limit.value_bytes - limit_bytes;
  return stated;
}

std::vector<StatedLimit> stated_limits(const Settings& settings, std::int64_t least_bytes,
                                       std::int64_t most_bytes) {
  std::vector<StatedLimit> stated;
  for (const auto& [name, text] : settings) {
    const auto value = is_about_eager(name) ? as_number<std::int64_t>(text) : std::nullopt;
    if (!value || *value < least_bytes || *value > most_bytes + largest_header_bytes) continue;
    stated.push_back({name, *value, 0});
  }
  return stated;
}

bool is_message_size(std::string_view name) {
  constexpr std::array<std::string_view, 8> words{"eager", "rndv", "send_size", "thresh",
                                                  "limit", "min",  "pipeline",  "cell_size"};
  constexpr std::array<std::string_view, 3> others{"num", "count", "free_list"};
  return holds_any(name, words) && !holds_any(name, others);
}

/// By the words with which libraries call such limits. Open MPI's "self" is a rank that sends to
/// itself.
bool is_about_eager(std::string_view name) {
  constexpr std::array<std::string_view, 4> words{"eager", "rndv", "rendezvous", "cell_size"};
  constexpr std::array<std::string_view, 1> others{"_self_"};
  if (std::ranges::any_of(name, is_upper)) return is_about_eager(lower_case(name));
  return holds_any(name, words) && !holds_any(name, others);
}

bool may_explain_limit(std::string_view name, std::string_view value) {
  return as_number<std::int64_t>(value).value_or(0) > 0 &&
         (is_message_size(name) || is_about_eager(name));
}

bool states_eager_limits(const Settings& settings) {
  return std::ranges::any_of(settings, [](const auto& setting) {
    return is_about_eager(setting.first) && as_number<std::int64_t>(setting.second).value_or(0) > 0;
  });
}

}  // namespace hockney
