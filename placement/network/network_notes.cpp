#include "placement/network/network_notes.hpp"

#include <algorithm>
#include <iterator>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::placement {
namespace {

constexpr std::size_t most_names = 3;

/// "1 host", "2 switches".
std::string counted(std::size_t count, const std::string& noun) {
  const std::string plural = noun.ends_with("ch") || noun.ends_with("s") ? "es"
                             : noun.ends_with("y")                       ? "ies"
                                                                         : "s";
  const std::string stem = noun.ends_with("y") ? noun.substr(0, noun.size() - 1) : noun;
  return std::to_string(count) + " " + (count == 1 ? noun : stem + plural);
}

std::string line_of(const std::string& noun, const std::string& reason, std::size_t count,
                    const std::vector<std::string>& names) {
  std::string line = counted(count, noun) + " " + reason;
  if (!names.empty()) line += ": " + join(names);
  if (count > names.size()) line += " and " + std::to_string(count - names.size()) + " more";
  return line;
}

}  // namespace

void NetworkNotes::count(const std::string& label, const std::string& noun,
                         const std::string& reason, const std::string& name) {
  auto kind = std::ranges::find_if(kinds_, [&](const Kind& known) {
    return known.label == label && known.noun == noun && known.reason == reason;
  });
  if (kind == kinds_.end()) {
    kinds_.push_back({.label = label, .noun = noun, .reason = reason, .count = 0, .names = {}});
    kind = std::prev(kinds_.end());
  }
  ++kind->count;
  if (kind->names.size() < most_names) kind->names.push_back(inert(shortened(name)));
}

std::vector<std::string> NetworkNotes::lines() const {
  std::vector<std::string> lines =
      strings_of(remarks_, [](const auto& line) { return inert(line); });
  for (const Kind& kind : kinds_) {
    lines.push_back(kind.label + line_of(kind.noun, kind.reason, kind.count, kind.names));
  }
  return lines;
}

void reject_network(const std::string& problem, const NetworkNotes& notes, const std::string& why,
                    const std::string& suggestion) {
  const std::vector<std::string> lines = notes.lines();
  throw InputError({problem, lines.empty() ? why : lines.front(), suggestion});
}

}  // namespace hockney::placement
