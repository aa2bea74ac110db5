#include "core/protocol.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "core/text.hpp"

namespace hockney {
namespace {

/// Words of the names by which libraries call such limits. Open MPI's "self" is a rank that sends
/// to itself.
bool is_about_eager(const std::string& name) {
  constexpr std::array<std::string_view, 4> words{"eager", "rndv", "rendezvous", "cell_size"};
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto occurs = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  return std::ranges::any_of(words, occurs) && !occurs("_self_");
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

bool is_message_size(const std::string& name) {
  constexpr std::array<std::string_view, 8> words{"eager", "rndv", "send_size", "thresh",
                                                  "limit", "min",  "pipeline",  "cell_size"};
  constexpr std::array<std::string_view, 3> others{"num", "count", "free_list"};
  const auto occurs = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  return std::ranges::any_of(words, occurs) && std::ranges::none_of(others, occurs);
}

bool may_explain_limit(const std::string& name) {
  return is_about_eager(name) || is_message_size(name);
}

bool states_eager_limits(const Settings& settings) {
  return std::ranges::any_of(settings, [](const auto& setting) {
    return is_about_eager(setting.first) && as_number<std::int64_t>(setting.second).value_or(0) > 0;
  });
}

}  // namespace hockney
