#include "placement/network/node_addresses.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/site_file.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"

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
  const std::string chassis = fmt::format("c{}-{}c{}", numbers[0], numbers[1], numbers[2]);
  return {.is_ex = false,
          .sites = {fmt::format("{}s{}", chassis, numbers[3]), chassis,
                    fmt::format("group-{}-{}", numbers[0] / cabinets_in_group, numbers[1])}};
}

CrayPlace place_of_ex(const std::vector<int>& numbers) {
  const std::string cabinet = fmt::format("x{}", numbers[0]);
  return {.is_ex = true, .sites = {fmt::format("{}c{}", cabinet, numbers[1]), cabinet}};
}

/// Thrown for a node without a place, with the reason.
struct NoPlace {
  std::string problem;
  std::string why;
};

/// Throws NoPlace if the node cannot be added.
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
    throw NoPlace{fmt::format("the place '{}'", node.place),
                  "the places before are of another kind of Cray"};
  }
  const auto [known, is_new] = nested.of_host.emplace(node.host, place.sites);
  if (!is_new && known->second != place.sites) {
    throw NoPlace{fmt::format("a second place of '{}'", node.host), "a node is in one"};
  }
}

/// The name of the host among the words of a line with this place.
std::string host_on(const std::vector<std::string>& words, const std::string& place) {
  for (const std::string& word : words) {
    const bool is_address = word.find_first_not_of("0123456789.") == std::string::npos ||
                            word.find(':') != std::string::npos;
    if (word != place && !is_address) return word;
  }
  return place;  // a node may have its place as name
}

/// Thrown for an unusable address, with the reason.
struct BadAddress {
  std::string problem;
  std::string why;
};

/// The parts of an address above its node, far to near.
using Way = std::vector<std::string>;

bool is_same_host(const std::string& one, const std::string& other) {
  const auto is_short_of = [](const std::string& name, const std::string& full) {
    return full == name || full.starts_with(name + ".");
  };
  return is_short_of(one, other) || is_short_of(other, one);
}

std::vector<std::string> levels_in(const SlurmAddress& at) {
  std::vector<std::string> levels = split(at.pattern, '.');
  if (levels.back() != "node") {
    throw BadAddress{fmt::format("the pattern '{}'", at.pattern), "that of Slurm ends in 'node'"};
  }
  levels.pop_back();
  if (levels.empty()) throw BadAddress{"the pattern 'node'", "Slurm knows no switches or blocks"};
  return levels;
}

/// Whether all switches have the same domain: "root.site.org.leaf1.site.org" has two of three
/// parts.
bool have_one_domain(const std::vector<std::string>& parts, std::size_t each) {
  for (std::size_t begin = 0; begin < parts.size(); begin += each) {
    for (std::size_t part = 1; part < each; ++part) {
      if (parts[begin + part] != parts[part]) return false;
    }
  }
  return true;
}

/// Whether a part continues the name of a switch: "1" and "[1-2]" in "switch.3.[1-2]".
bool is_numeric(const std::string& part) {
  return !part.empty() && part.find_first_not_of("0123456789[]-,") == std::string::npos;
}

/// The parts of a way whose switches have dots in their names: one level, a common domain, or
/// numbers after a word ("switch.3.1.switch.2.1").
std::optional<Way> way_with_dots(const std::vector<std::string>& parts, std::size_t levels) {
  Way way;
  const std::size_t each = parts.size() / levels;
  if (parts.size() % levels == 0 && have_one_domain(parts, each)) {
    for (auto begin = parts.begin(); begin != parts.end();
         begin += static_cast<std::ptrdiff_t>(each)) {
      way.push_back(join({begin, begin + static_cast<std::ptrdiff_t>(each)}, "."));
    }
    return way;
  }
  for (const std::string& part : parts) {
    if (way.empty() || !is_numeric(part)) {
      way.push_back(part);
    } else {
      way.back() += "." + part;
    }
  }
  return way.size() == levels ? std::optional(way) : std::nullopt;
}

struct ParsedAddress {
  Way way;
  std::string node;  ///< its name may have dots
};

ParsedAddress parse(const SlurmAddress& at) {
  const std::size_t levels = levels_in(at).size();
  const std::vector<std::string> parts = split(at.address, '.');
  if (parts.size() <= levels) {
    throw BadAddress{fmt::format("the address '{}'", at.address),
                     fmt::format("it has fewer parts than its pattern '{}'", at.pattern)};
  }
  const auto node = parts.begin() + static_cast<std::ptrdiff_t>(levels);
  ParsedAddress plain{{parts.begin(), node}, join({node, parts.end()}, ".")};
  if (is_same_host(plain.node, at.host)) return plain;
  for (const std::string& name : {at.host, at.host.substr(0, at.host.find('.'))}) {
    if (!at.address.ends_with("." + name)) continue;
    const std::string above = at.address.substr(0, at.address.size() - name.size() - 1);
    if (auto way = way_with_dots(split(above, '.'), levels)) return {std::move(*way), name};
  }
  if (parts.size() > levels + 1) {
    throw BadAddress{
        fmt::format("the address '{}'", at.address),
        fmt::format("names with dots: its node by the pattern, '{}', is not the host", plain.node)};
  }
  return plain;
}

/// The switches in one part, "s[4-5]".
std::vector<std::string> switches_in(const std::string& part) {
  try {
    return expand_hosts(part);
  } catch (const HostListError&) {
    return {part};
  }
}

/// Nodes by their addresses. Throws BadAddress for an unusable one.
class AddressedNodes {
 public:
  void add(const SlurmAddress& at, bool is_own) {
    if (!is_host_name(at.host)) throw BadAddress{"'" + at.host + "'", "it is no name of a host"};
    const std::vector<std::string> levels = levels_in(at);
    const ParsedAddress parsed = parse(at);
    if (is_own && !is_same_host(parsed.node, at.host)) {
      throw BadAddress{fmt::format("the address '{}'", at.address), "it is that of another node"};
    }
    if (std::ranges::all_of(parsed.way, &std::string::empty)) {
      throw BadAddress{fmt::format("the address '{}'", at.address), "the node is at no switch"};
    }
    if (!levels_.empty() && levels_ != levels) {
      throw BadAddress{fmt::format("the pattern '{}'", at.pattern),
                       "that of the nodes before was another"};
    }
    const auto [known, is_new] = ways_.emplace(at.host, parsed.way);
    if (!is_new && known->second != parsed.way) {
      throw BadAddress{fmt::format("a second address of '{}'", at.host), "a node is in one place"};
    }
    levels_ = levels;
  }

  [[nodiscard]] bool empty() const { return ways_.empty(); }

  [[nodiscard]] NestedSites sites(NetworkNotes& notes) const {
    // "ring:position" and "torus:x:y:z" have a name, followed by the place in it.
    const std::string nearest = levels_.back().substr(0, levels_.back().find(':'));
    NestedSites nested{.levels = level_names(levels_.size(), nearest), .of_host = {}};
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      SwitchesOfHosts switches;
      for (const auto& [host, way] : ways_) {
        switches[host] = switches_of(way, level, levels_.back() != nearest);
      }
      for (auto& [host, site] :
           group_switches(switches, notes, nested.levels[level]).site_of_host) {
        nested.of_host[host].push_back(std::move(site));
      }
    }
    return nested;
  }

 private:
  /// The index of a level in a way. If the node is not connected on that level, the next nearer
  /// level counts, else the next farther one.
  static std::size_t part_of(const Way& way, std::size_t level) {
    for (std::size_t at = way.size() - 1 - level; at < way.size(); ++at) {
      if (!way[at].empty()) return at;
    }
    std::size_t at = way.size() - 1 - level;
    while (at > 0 && way[at].empty()) --at;
    return at;
  }

  /// The switches of a level, with the names of upper levels: names below different roots may
  /// repeat.
  static std::set<std::string> switches_of(const Way& way, std::size_t level, bool has_places) {
    const std::size_t at = part_of(way, level);
    std::string above;
    for (std::size_t i = 0; i < at; ++i) above += way[i].empty() ? "" : way[i] + ".";
    const std::string part = has_places ? way[at].substr(0, way[at].find(':')) : way[at];
    std::set<std::string> switches;
    for (const std::string& name : switches_in(part)) switches.insert(above + name);
    return switches;
  }

  std::vector<std::string> levels_;  ///< far to near, as in the pattern
  std::map<std::string, Way> ways_;
};

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
      throw InputError(
          {fmt::format("the place of {}: {}", escaped(node.host), escaped(bad.problem)), bad.why,
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
      notes.leave_out(
          "line", "without the place of a node",
          fmt::format("{}:{}: {} ({})", text.name, lines.number(), bad.problem, bad.why));
    }
  }
  if (nested.of_host.empty()) {
    reject_network(escaped(text.name) + ": no nodes", notes, "no line says anything",
                   "write host and cname, 'nid00012 c0-0c0s3n0'");
  }
  const SiteOrigin origin{.source = "cray", .detail = text.name, .inferred = false};
  return {.sites = sites_of(nested, origin), .notes = notes.lines()};
}

SiteFile sites_of(const std::vector<SlurmAddress>& addresses, const SiteOrigin& origin) {
  AddressedNodes nodes;
  for (const SlurmAddress& at : addresses) {
    try {
      nodes.add(at, true);
    } catch (const BadAddress& bad) {
      throw InputError(
          {fmt::format("SLURM_TOPOLOGY_ADDR of {}: {}", escaped(at.host), escaped(bad.problem)),
           bad.why, "name another source of the network"});
    }
  }
  if (nodes.empty()) return {.levels = {}, .hosts = {}, .sites = {}, .hops = {}, .origin = origin};
  NetworkNotes unused;
  return sites_of(nodes.sites(unused), origin);
}

DescribedNetwork read_slurm_addresses(const NetworkText& text) {
  AddressedNodes nodes;
  NetworkNotes notes;
  NumberedLines lines(text);
  while (lines.next()) {
    std::vector<std::string> words = words_of_line(lines.line());
    if (words.size() == 4 && words.front().ends_with(':')) words.erase(words.begin());  // srun -l
    try {
      if (words.size() != 3) {
        throw BadAddress{fmt::format("{} words", words.size()), "a line has three"};
      }
      nodes.add({.host = words[0], .address = words[1], .pattern = words[2]}, false);
    } catch (const BadAddress& bad) {
      notes.leave_out(
          "line", "without the place of a node",
          fmt::format("{}:{}: {} ({})", text.name, lines.number(), bad.problem, bad.why));
    }
  }
  if (nodes.empty()) {
    reject_network(escaped(text.name) + ": no addresses of nodes", notes, "no line says anything",
                   "write host, SLURM_TOPOLOGY_ADDR and its _PATTERN");
  }
  const SiteOrigin origin{.source = "slurm-address", .detail = text.name, .inferred = false};
  SiteFile sites = sites_of(nodes.sites(notes), origin);
  return {.sites = std::move(sites), .notes = notes.lines()};
}

}  // namespace hockney::placement
