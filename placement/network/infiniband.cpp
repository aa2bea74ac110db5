#include "placement/network/infiniband.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/infiniband_hosts.hpp"
#include "placement/network/nested_sites.hpp"
#include "placement/network/switch_groups.hpp"

namespace hockney::placement {
namespace {

/// What stands between the first two quotes, and what follows them.
struct Quoted {
  std::string_view text;
  std::string_view rest;
};

std::optional<Quoted> quoted_in(std::string_view line) {
  const std::size_t open = line.find('"');
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = line.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return Quoted{line.substr(open + 1, close - open - 1), line.substr(close + 1)};
}

/// "H-0002c90300" with all digits of its GUID; nullopt for what names no node.
std::optional<std::string> identifier_in(std::string_view text) {
  constexpr std::string_view kinds = "HSR";
  const bool has_kind =
      text.size() > 2 && text[1] == '-' && kinds.find(text.front()) != std::string_view::npos;
  const auto guid = has_kind ? guid_of(text.substr(2)) : std::nullopt;
  return guid ? std::optional(std::string(text.substr(0, 2)) + *guid) : std::nullopt;
}

/// Text of one of the lines of ibnetdiscover, which is no other line.
struct NoFabricLine {
  std::string why;
};

class FabricReader {
 public:
  explicit FabricReader(const NetworkText& text) : name_(text.name), lines_(text) {}

  Fabric read() {
    while (lines_.next()) {
      try {
        add(lines_.line());
      } catch (const NoFabricLine& bad) {
        const std::string line(lines_.line().substr(0, 40));
        fabric_.notes.leave_out(
            "line", "ibnetdiscover does not print",
            name_ + ":" + std::to_string(lines_.number()) + ": '" + line + "' (" + bad.why + ")");
      }
    }
    return std::move(fabric_);
  }

 private:
  void add(std::string_view line) {
    const std::string first = words_of_line(line).front();
    if (first == "Switch" || first == "Ca" || first == "Rt") return begin_node(line);
    if (line.starts_with('[')) return add_port(line);
    const std::size_t equals = line.find('=');
    const std::string_view known = line.substr(0, equals);
    if (known == "sysimgguid") return begin_system(line.substr(equals + 1));
    const bool is_fact = known == "vendid" || known == "devid" || known == "caguid" ||
                         known == "switchguid" || known == "rtguid" || known == "chassisguid";
    const bool is_group = first == "Chassis" || first == "Non-Chassis" || first == "Spine" ||
                          first == "Line" || first == "Hostname:";
    if (!is_fact && !is_group) throw NoFabricLine{"it prints facts, nodes and their ports"};
  }

  void begin_system(std::string_view text) {
    const auto system = guid_of(text.substr(0, text.find_first_of("( \t#")));
    if (!system) throw NoFabricLine{"a GUID has up to 16 hex digits"};
    system_ = *system;
  }

  /// The node that a line names, and what follows its name.
  struct NamedNode {
    std::string identifier;
    std::string_view rest;
  };
  static NamedNode named_node(std::string_view line) {
    const auto quoted = quoted_in(line);
    const auto identifier = quoted ? identifier_in(quoted->text) : std::nullopt;
    if (quoted && identifier) return {*identifier, quoted->rest};
    throw NoFabricLine{"a node is H-, S- or R- and a GUID, in quotes"};
  }

  /// The ports of a node that is not named are nobody's.
  void begin_node(std::string_view line) {
    current_.clear();
    const NamedNode named = named_node(line);
    current_ = named.identifier;
    FabricNode& node = fabric_.nodes[current_];
    if (const auto described = quoted_in(named.rest)) node.description = described->text;
    node.system_guid = system_;
    system_.clear();
  }

  void add_port(std::string_view line) {
    if (current_.empty()) throw NoFabricLine{"a port without its node"};
    const NamedNode peer = named_node(line);
    fabric_.nodes[current_].peers.insert(peer.identifier);
    FabricNode& other = fabric_.nodes[peer.identifier];
    other.peers.insert(current_);
    const auto described = quoted_in(peer.rest);
    if (described && other.description.empty()) other.description = described->text;
  }

  std::string name_;
  NumberedLines lines_;
  Fabric fabric_;
  std::string current_;
  std::string system_;
};

/// Whether a word is meant as a GUID: "0x2c90300123456", "0c42:a103:0012:3456", or 16 digits.
bool is_written_guid(const std::string& word) {
  constexpr std::ptrdiff_t least_colons = 3;
  constexpr std::size_t all_digits = 16;
  const bool has_form = word.starts_with("0x") || word.size() == all_digits ||
                        std::ranges::count(word, ':') >= least_colons;
  return has_form && guid_of(word).has_value();
}

SwitchesOfHosts named_switches(const SwitchesOfHosts& hosts,
                               const std::map<std::string, std::string>& names) {
  SwitchesOfHosts named;
  for (const auto& [host, switches] : hosts) {
    for (const std::string& identifier : switches) named[host].insert(names.at(identifier));
  }
  return named;
}

/// Links from some switches to all others that can be reached, through switches alone.
std::map<std::string, int> links_from(const Fabric& fabric, const std::vector<std::string>& start) {
  std::map<std::string, int> links;
  for (const std::string& identifier : start) links[identifier] = 0;
  std::deque<std::string> next(start.begin(), start.end());
  while (!next.empty()) {
    const std::string at = next.front();
    next.pop_front();
    for (const std::string& peer : fabric.nodes.at(at).peers) {
      if (!peer.starts_with("S-") || !links.emplace(peer, links[at] + 1).second) continue;
      next.push_back(peer);
    }
  }
  return links;
}

/// "leaf1" of "MF0;leaf1:MQM9700/U1", which managed switches call their chips; else all of it.
std::string short_description(const std::string& description) {
  const std::size_t begin = description.find(';');
  const std::size_t end = description.find(':', begin == std::string::npos ? 0 : begin);
  if (!description.starts_with("MF") || begin == std::string::npos || end == std::string::npos) {
    return description;
  }
  return description.substr(begin + 1, end - begin - 1);
}

/// What each switch calls itself, as short as no other switch does; else its identifier.
std::map<std::string, std::string> switch_names(const Fabric& fabric) {
  std::map<std::string, std::set<std::string>> uses;
  for (const auto& [identifier, node] : fabric.nodes) {
    if (!identifier.starts_with("S-")) continue;
    uses[node.description].insert(identifier);
    uses[short_description(node.description)].insert(identifier);
  }
  std::map<std::string, std::string> names;
  for (const auto& [identifier, node] : fabric.nodes) {
    if (!identifier.starts_with("S-")) continue;
    names[identifier] = identifier;
    for (const std::string& name : {node.description, short_description(node.description)}) {
      if (!name.empty() && uses.at(name).size() == 1) names[identifier] = inert(name);
    }
  }
  return names;
}

/// The fewest of these links that lead to one of some switches; nullopt if none does.
std::optional<int> fewest_links(const std::map<std::string, int>& links,
                                const std::vector<std::string>& switches) {
  std::optional<int> fewest;
  for (const std::string& identifier : switches) {
    const auto found = links.find(identifier);
    if (found != links.end()) fewest = std::min(fewest.value_or(found->second), found->second);
  }
  return fewest;
}

/// Links between sites of several switches: those of the nearest two.
void count_links(SiteFile& file, const Fabric& fabric,
                 const std::map<std::string, std::vector<std::string>>& switches_of_sites) {
  for (const auto& [name, own] : switches_of_sites) {
    const auto links = links_from(fabric, own);
    for (const auto& [other, theirs] : switches_of_sites) {
      if (name >= other) continue;
      if (const auto fewest = fewest_links(links, theirs)) file.hops[name][other] = *fewest;
    }
  }
}

/// One line of a host and GUIDs; InputError for one that lacks either.
void add_guid_line(HostsOfGuids& hosts, const NumberedLines& lines) {
  std::string host;
  std::vector<std::string> guids;
  for (std::string word : words_of_line(lines.line())) {
    std::erase(word, '"');
    if (is_written_guid(word)) {
      guids.push_back(guid_of(word).value_or(""));
    } else if (host.empty()) {
      if (word.ends_with(':')) word.pop_back();  // pdsh prints "n1: 0c42:a103:0012:3456"
      host = word;
    }
  }
  if (!is_host_name(host) || guids.empty()) {
    throw lines.error("no host and its GUIDs", "a line has both",
                      "write 'n1 0x0c42a10300123456', or name records");
  }
  for (const std::string& guid : guids) hosts[guid] = host;
}

}  // namespace

Fabric read_ibnetdiscover(const NetworkText& text) {
  Fabric fabric = FabricReader(text).read();
  const bool has_adapter = std::ranges::any_of(
      fabric.nodes, [](const auto& node) { return node.first.starts_with("H-"); });
  if (!has_adapter) {
    reject_network(inert(text.name) + ": no adapters in the fabric", fabric.notes,
                   "no host is connected to its switches", "name what ibnetdiscover printed");
  }
  return fabric;
}

HostsOfGuids read_guid_lines(const NetworkText& text) {
  HostsOfGuids hosts;
  NumberedLines lines(text);
  while (lines.next()) add_guid_line(hosts, lines);
  return hosts;
}

DescribedNetwork sites_of(const Fabric& fabric, const HostsOfGuids& hosts,
                          const SiteOrigin& origin) {
  NetworkNotes notes = fabric.notes;
  const auto names = switch_names(fabric);
  SwitchesOfHosts switches;
  for (const auto& [identifier, host] : hosts_of_adapters(fabric, hosts, names, notes)) {
    const std::set<std::string> beside = switches_beside(fabric.nodes.at(identifier));
    switches[host].insert(beside.begin(), beside.end());
  }
  const SwitchGroups groups = group_switches(named_switches(switches, names), notes);
  NestedSites nested{.levels = level_names(1), .of_host = {}};
  for (const auto& [host, site] : groups.site_of_host) nested.of_host[host] = {site};
  if (nested.of_host.empty()) {
    reject_network(inert(origin.detail) + ": no adapter of a known host at a switch", notes,
                   std::to_string(hosts.size()) + " GUIDs of hosts are known",
                   "name the hosts of its adapters with --guids");
  }
  std::map<std::string, std::string> identifiers;
  for (const auto& [identifier, name] : names) identifiers[name] = identifier;
  std::map<std::string, std::vector<std::string>> switches_of_sites;
  for (const auto& [host, site] : groups.site_of_host) {
    switches_of_sites[site] = strings_of(
        groups.switches.at(site), [&](const std::string& name) { return identifiers.at(name); });
  }
  SiteFile file = sites_of(nested, origin);
  count_links(file, fabric, switches_of_sites);
  return {.sites = std::move(file), .notes = notes.lines()};
}

}  // namespace hockney::placement
