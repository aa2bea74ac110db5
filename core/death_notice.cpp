#include "core/death_notice.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace hockney {
namespace {

using namespace death_words;

/// The text between `begin` and `end`, the first of each; nullopt if one is missing.
std::optional<std::string> between(std::string_view text, std::string_view begin,
                                   std::string_view end) {
  const std::size_t first = text.find(begin);
  if (first == std::string_view::npos) return std::nullopt;
  text.remove_prefix(first + begin.size());
  const std::size_t last = text.find(end);
  if (last == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(0, last));
}

}  // namespace

std::optional<DeathNotice> death_in(std::string_view log) {
  std::optional<DeathNotice> death;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    if (!death) {
      const auto signal = between(line, died_of, at);
      const auto point = between(line, leave_out, "'");
      if (signal && point) death = DeathNotice{.signal = *signal, .library = "", .point = *point};
      continue;
    }
    const std::string beginning = fmt::format("{}{}{}", died_of, death->signal, in);
    const std::size_t found = line.find(beginning);
    if (found == std::string_view::npos) continue;
    death->library = line.substr(found + beginning.size());
    return death;
  }
  return death;
}

}  // namespace hockney
