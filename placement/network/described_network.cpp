#include "placement/network/described_network.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::placement {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view said_in(std::string_view line) {
  if (line.starts_with('#')) return {};
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
}

constexpr std::size_t most_names = 3;

/// "1 host", "2 switches".
std::string counted(std::size_t count, const std::string& noun) {
  const std::string plural = noun.ends_with("ch") || noun.ends_with("s") ? "es"
                             : noun.ends_with("y")                       ? "ies"
                                                                         : "s";
  const std::string stem = noun.ends_with("y") ? noun.substr(0, noun.size() - 1) : noun;
  return fmt::format("{} {}", count, count == 1 ? noun : stem + plural);
}

std::string line_of(const std::string& noun, const std::string& reason, std::size_t count,
                    const std::vector<std::string>& names) {
  std::string line = fmt::format("{} {}", counted(count, noun), reason);
  if (!names.empty()) line += ": " + join(names);
  if (count > names.size()) line += fmt::format(" and {} more", count - names.size());
  return line;
}

/// Escapes names: documents must be UTF-8, but names of network devices may have any bytes.
NestedSites with_escaped_names(const NestedSites& raw) {
  const auto as_escaped = [](const std::string& name) { return escaped(name); };
  NestedSites nested{.levels = strings_of(raw.levels, as_escaped), .of_host = {}};
  for (const auto& [host, where] : raw.of_host) {
    nested.of_host[escaped(host)] = strings_of(where, as_escaped);
  }
  return nested;
}

/// Whether a level adds information to the one below it. One switch that all hosts share does; a
/// common root above others, or one site above each single site, does not.
bool parts_hosts(const NestedSites& nested, std::size_t level) {
  std::set<std::string> sites;
  std::set<std::string> below;
  std::set<std::pair<std::string, std::string>> both;
  for (const auto& [host, where] : nested.of_host) {
    sites.insert(where[level]);
    if (level == 0) continue;
    below.insert(where[level - 1]);
    both.emplace(where[level - 1], where[level]);
  }
  if (level == 0) return nested.of_host.size() > 1;
  const bool is_same = both.size() == sites.size() && both.size() == below.size();
  return sites.size() > 1 && !is_same;
}

/// The number of hosts for each set of switches.
using Homes = std::map<std::set<std::string>, std::size_t>;

/// In larger sets, only pairs with the first switch are compared.
constexpr std::size_t most_compared = 32;

/// Switches joined to groups; a group is identified by its first member.
class JoinedSwitches {
 public:
  [[nodiscard]] std::string first_of(std::string name) const {
    for (auto up = above_.find(name); up != above_.end(); up = above_.find(name)) name = up->second;
    return name;
  }
  void join(const std::string& one, const std::string& other) {
    const auto [first, second] = std::minmax({first_of(one), first_of(other)});
    if (first != second) above_[second] = first;
  }

 private:
  std::map<std::string, std::string> above_;
};

/// Number of hosts with several switches, at each switch and at each pair of switches.
struct SharedSwitches {
  std::map<std::string, std::size_t> hosts_at;
  std::map<std::pair<std::string, std::string>, std::size_t> hosts_at_both;

  void add(const std::set<std::string>& switches, std::size_t hosts) {
    const bool compares_all = switches.size() <= most_compared;
    for (const std::string& name : switches) hosts_at[name] += hosts;
    for (auto one = switches.begin(); one != switches.end(); ++one) {
      if (!compares_all && one != switches.begin()) return;
      for (auto other = std::next(one); other != switches.end(); ++other) {
        hosts_at_both[{*one, *other}] += hosts;
      }
    }
  }
};

JoinedSwitches join_rails(const Homes& homes) {
  SharedSwitches shared;
  for (const auto& [switches, hosts] : homes) {
    if (switches.size() > 1) shared.add(switches, hosts);
  }
  JoinedSwitches joined;
  for (const auto& [pair, hosts] : shared.hosts_at_both) {
    const auto& [one, other] = pair;
    const bool is_most = 2 * hosts > std::max(shared.hosts_at[one], shared.hosts_at[other]);
    if (is_most) joined.join(one, other);
  }
  return joined;
}

bool has_rails(const Homes& homes) {
  std::size_t several = 0;
  std::size_t all = 0;
  for (const auto& [switches, hosts] : homes) {
    all += hosts;
    if (switches.size() > 1) several += hosts;
  }
  return 2 * several >= all;
}

/// "rail0+rail1"; for more than three, the first one and the number of others.
std::string site_name(const std::vector<std::string>& switches) {
  constexpr std::size_t most_named = 3;
  if (switches.size() <= most_named) return join(switches, "+");
  return fmt::format("{}+{}", switches.front(), switches.size() - 1);
}

/// Groups of switches, by their first switches.
class Groups {
 public:
  explicit Groups(const Homes& homes)
      : joined_(has_rails(homes) ? join_rails(homes) : JoinedSwitches()) {
    for (const auto& [switches, hosts] : homes) {
      for (const std::string& name : switches) members_[joined_.first_of(name)].insert(name);
      for (const std::string& group : near(switches)) hosts_[group] += hosts;
    }
  }

  /// All groups with at least one of these switches.
  [[nodiscard]] std::set<std::string> near(const std::set<std::string>& switches) const {
    std::set<std::string> groups;
    for (const std::string& name : switches) groups.insert(joined_.first_of(name));
    return groups;
  }

  /// The group with the most hosts.
  [[nodiscard]] const std::string& largest(const std::set<std::string>& groups) const {
    return *std::ranges::max_element(groups, {},
                                     [&](const std::string& group) { return hosts_.at(group); });
  }

  [[nodiscard]] std::vector<std::string> members(const std::string& group) const {
    return {members_.at(group).begin(), members_.at(group).end()};
  }

 private:
  JoinedSwitches joined_;
  std::map<std::string, std::set<std::string>> members_;
  std::map<std::string, std::size_t> hosts_;
};

/// A name, split at "-", "_" and ".".
std::vector<std::string> parts_of_name(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char letter : name) {
    if (letter == '-' || letter == '_' || letter == '.') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

bool is_word_of_card(std::string part) {
  std::ranges::transform(part, part.begin(), [](unsigned char at) { return std::tolower(at); });
  while (!part.empty() && std::isdigit(static_cast<unsigned char>(part.back())) != 0) {
    part.pop_back();
  }
  return part == "bf" || part == "dpu" || part == "bluefield" || part == "snic" ||
         part == "smartnic";
}

}  // namespace

bool NumberedLines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (line_.find('\0') != std::string_view::npos) {
      throw error("the character NUL", "no description of a network has it", "name a text file");
    }
    line_ = said_in(line_);
    if (!line_.empty()) return true;
  }
  return false;
}

InputError NumberedLines::error(const std::string& problem, const std::string& why,
                                const std::string& suggestion) const {
  return InputError({fmt::format("{}:{}: {}", escaped(name_), number_, escaped(problem)),
                     escaped(why), suggestion});
}

std::vector<std::string> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

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
  if (kind->names.size() < most_names) kind->names.push_back(escaped(shortened(name)));
}

std::vector<std::string> NetworkNotes::lines() const {
  std::vector<std::string> lines =
      strings_of(remarks_, [](const auto& line) { return escaped(line); });
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

std::vector<std::string> level_names(std::size_t levels, std::string_view nearest) {
  std::vector<std::string> names;
  for (std::size_t level = 0; level < levels; ++level) {
    if (level == 0) {
      names.emplace_back(nearest);
    } else if (level == 1) {
      names.emplace_back("group");
    } else {
      names.push_back(fmt::format("level-{}", level + 1));
    }
  }
  return names;
}

SiteFile sites_of(const NestedSites& raw, const SiteOrigin& origin) {
  const NestedSites nested = with_escaped_names(raw);
  SiteFile file{.levels = {}, .hosts = {}, .sites = {}, .hops = {}, .origin = origin};
  for (const auto& [host, where] : nested.of_host) {
    file.hosts.push_back(host);
    file.sites[host];
  }
  for (std::size_t level = 0; level < nested.levels.size(); ++level) {
    if (!parts_hosts(nested, level)) continue;
    file.levels.push_back(nested.levels[level]);
    for (const auto& [host, where] : nested.of_host) file.sites[host].push_back(where[level]);
  }
  return file;
}

bool is_host_name(std::string_view name) {
  constexpr std::string_view special = "[], \t\r\n\"";
  return !name.empty() && name.find_first_of(special) == std::string_view::npos;
}

SwitchGroups group_switches(const SwitchesOfHosts& hosts, NetworkNotes& notes,
                            const std::string& level) {
  Homes homes;
  for (const auto& [host, switches] : hosts) {
    if (!switches.empty()) ++homes[switches];
  }
  const Groups groups(homes);
  SwitchGroups found;
  for (const auto& [host, switches] : hosts) {
    if (switches.empty()) continue;
    std::vector<std::string> sites;
    const std::set<std::string> near = groups.near(switches);
    for (const std::string& group : near) {
      const std::vector<std::string> members = groups.members(group);
      sites.push_back(site_name(members));
      found.switches[sites.back()] = members;
    }
    const std::string home = site_name(groups.members(groups.largest(near)));
    found.site_of_host[host] = home;
    if (near.size() < 2) continue;
    notes.mention("host", fmt::format("at more than one {}, counted at one of them", level),
                  fmt::format("{} at {} of {}", host, home, join(sites)));
  }
  return found;
}

bool is_common_switch(const SwitchesOfHosts& hosts, const std::string& name) {
  SwitchesOfHosts others;
  std::size_t count = 0;
  for (const auto& [host, switches] : hosts) {
    if (!switches.contains(name)) continue;
    ++count;
    if (switches.size() == 1) continue;
    others[host] = switches;
    others[host].erase(name);
  }
  if (2 * others.size() <= count) return false;
  NetworkNotes unused;
  std::set<std::string> sites;
  for (const auto& [host, site] : group_switches(others, unused).site_of_host) sites.insert(site);
  return sites.size() > 1;
}

std::vector<std::pair<std::size_t, std::string>> switches_by_hosts(const SwitchesOfHosts& hosts) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [host, switches] : hosts) {
    for (const std::string& name : switches) ++counts[name];
  }
  std::vector<std::pair<std::size_t, std::string>> ordered;
  for (const auto& [name, count] : counts) ordered.emplace_back(count, name);
  std::ranges::sort(ordered, std::ranges::greater());
  return ordered;
}

std::vector<std::pair<std::size_t, std::string>> leave_out_common(SwitchesOfHosts& hosts) {
  std::vector<std::pair<std::size_t, std::string>> all = switches_by_hosts(hosts);
  std::erase_if(all, [&](const auto& one) {
    if (!is_common_switch(hosts, one.second)) return true;
    for (auto& [host, switches] : hosts) {
      if (switches.size() > 1) switches.erase(one.second);
    }
    return false;
  });
  return all;
}

bool names_card(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char at) { return std::tolower(at); });
  return small.find("bluefield") != std::string::npos ||
         small.find("smartnic") != std::string::npos || small.find("pensando") != std::string::npos;
}

std::string host_of_card(const std::string& name) {
  std::vector<std::string> parts = parts_of_name(name.substr(0, name.find('.')));
  const std::size_t before = parts.size();
  std::erase_if(parts, is_word_of_card);
  const bool is_card = parts.size() < before && !parts.empty();
  return is_card ? join(parts, "-") : "";
}

std::vector<ClassPairs> class_pairs(const SiteFile& sites) {
  std::map<std::vector<std::string>, std::vector<std::string>> places;  // hosts at each
  for (const std::string& host : sites.hosts) places[sites.sites.at(host)].push_back(host);
  std::map<std::string, ClassPairs> counts;
  const auto add = [&](const std::string& first, const std::string& second, std::size_t pairs) {
    if (pairs == 0) return;
    const std::string hop = network_hop(sites, first, second);
    ClassPairs& known = counts.try_emplace(hop, ClassPairs{hop, 0, first, second}).first->second;
    known.pairs += pairs;
  };
  for (auto here = places.begin(); here != places.end(); ++here) {
    const std::vector<std::string>& hosts = here->second;
    add(hosts.front(), hosts.back(), hosts.size() * (hosts.size() - 1) / 2);
    for (auto there = std::next(here); there != places.end(); ++there) {
      add(hosts.front(), there->second.front(), hosts.size() * there->second.size());
    }
  }
  std::vector<ClassPairs> ordered;
  for (const std::string& hop : network_hops(sites)) {
    const auto found = counts.find(hop);
    if (found != counts.end()) ordered.push_back(found->second);
  }
  return ordered;
}

std::vector<std::size_t> sites_of_levels(const SiteFile& sites) {
  std::vector<std::size_t> counts;
  for (std::size_t level = 0; level < sites.levels.size(); ++level) {
    std::set<std::string> names;
    for (const auto& [host, where] : sites.sites) names.insert(where[level]);
    counts.push_back(names.size());
  }
  return counts;
}

}  // namespace hockney::placement
