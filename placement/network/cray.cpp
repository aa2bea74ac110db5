#include "placement/network/cray.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"

namespace hockney::placement {
namespace {

/// Numbers between the letters of a name, each letter once and in order: "c3-0c1s7n2" by "c-csn".
std::optional<std::vector<int>> numbers_between(std::string_view name, std::string_view letters) {
  std::vector<int> numbers;
  for (const char letter : letters) {
    if (name.empty() || name.front() != letter) return std::nullopt;
    name.remove_prefix(1);
    const auto digits = std::min(
        static_cast<std::size_t>(
            std::ranges::find_if_not(name, [](unsigned char at) { return std::isdigit(at) != 0; }) -
            name.begin()),
        name.size());
    const auto number = as_number<int>(name.substr(0, digits));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    name.remove_prefix(digits);
  }
  return name.empty() ? std::optional(numbers) : std::nullopt;
}

/// Two cabinets of a row are one group of Aries.
constexpr int cabinets_in_group = 2;

CrayPlace place_of_xc(const std::vector<int>& numbers) {
  const std::string row = std::to_string(numbers[1]);
  const std::string cabinet = "c" + std::to_string(numbers[0]) + "-" + row;
  const std::string chassis = cabinet + "c" + std::to_string(numbers[2]);
  return {.is_ex = false,
          .sites = {chassis + "s" + std::to_string(numbers[3]), chassis,
                    "group-" + std::to_string(numbers[0] / cabinets_in_group) + "-" + row}};
}

CrayPlace place_of_ex(const std::vector<int>& numbers) {
  const std::string cabinet = "x" + std::to_string(numbers[0]);
  return {.is_ex = true, .sites = {cabinet + "c" + std::to_string(numbers[1]), cabinet}};
}

/// Why a node has no place.
struct NoPlace {
  std::string problem;
  std::string why;
};

/// NoPlace of a node that cannot be added.
void add(NestedSites& nested, const CrayNode& node) {
  if (!is_host_name(node.host)) throw NoPlace{"'" + node.host + "'", "it is no name of a host"};
  const auto known_place = cray_place(node.place);
  if (!known_place) throw NoPlace{"'" + node.place + "'", "it is no cname or xname of a node"};
  const CrayPlace& place = *known_place;
  const std::vector<std::string> levels =
      place.is_ex ? std::vector<std::string>{"chassis", "cabinet"}
                  : std::vector<std::string>{"router", "chassis", "group"};
  if (nested.levels.empty()) nested.levels = levels;
  if (nested.levels != levels) {
    throw NoPlace{"the place '" + node.place + "'",
                  "the places before are of another kind of Cray"};
  }
  const auto [known, is_new] = nested.of_host.emplace(node.host, place.sites);
  if (!is_new && known->second != place.sites) {
    throw NoPlace{"a second place of '" + node.host + "'", "a node is in one"};
  }
}

/// The name of the host on a line of `words`, of which `place` is that of its place.
std::string host_on(const std::vector<std::string>& words, const std::string& place) {
  for (const std::string& word : words) {
    const bool is_address = word.find_first_not_of("0123456789.") == std::string::npos ||
                            word.find(':') != std::string::npos;
    if (word != place && !is_address) return word;
  }
  return place;  // nodes may be called by their places
}

}  // namespace

std::optional<CrayPlace> cray_place(std::string_view name) {
  if (const auto numbers = numbers_between(name, "c-csn")) return place_of_xc(*numbers);
  if (const auto numbers = numbers_between(name, "xcsbn")) return place_of_ex(*numbers);
  return std::nullopt;
}

SiteFile sites_of(const std::vector<CrayNode>& nodes, const SiteOrigin& origin) {
  NestedSites nested;
  for (const CrayNode& node : nodes) {
    try {
      add(nested, node);
    } catch (const NoPlace& bad) {
      throw InputError({"the place of " + inert(node.host) + ": " + inert(bad.problem), bad.why,
                        "name another source of the network"});
    }
  }
  return sites_of(nested, origin);
}

DescribedNetwork read_cray_names(const NetworkText& text) {
  NestedSites nested;
  NetworkNotes notes;
  NumberedLines lines(text);
  while (lines.next()) {
    const std::vector<std::string> words = words_of_line(lines.line());
    const auto place = std::ranges::find_if(
        words, [](const std::string& word) { return cray_place(word).has_value(); });
    try {
      if (place == words.end()) throw NoPlace{"no place", "no word is a cname or xname of a node"};
      add(nested, {.host = host_on(words, *place), .place = *place});
    } catch (const NoPlace& bad) {
      notes.leave_out("line", "without the place of a node",
                      text.name + ":" + std::to_string(lines.number()) + ": " + bad.problem + " (" +
                          bad.why + ")");
    }
  }
  if (nested.of_host.empty()) {
    reject_network(inert(text.name) + ": no nodes", notes, "no line says anything",
                   "write host and cname, 'nid00012 c0-0c0s3n0'");
  }
  const SiteOrigin origin{.source = "cray", .detail = text.name, .inferred = false};
  return {.sites = sites_of(nested, origin), .notes = notes.lines()};
}

}  // namespace hockney::placement
