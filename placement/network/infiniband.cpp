#include "placement/network/infiniband.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {
namespace {

/// "0x2c903:0012" and "2c9030012" to 16 digits; nullopt if it is no GUID.
std::optional<std::string> guid_of(std::string_view text);

/// Identifiers of the switches at the other ends of an adapter's links; behind a card's own switch
/// those that it is connected to.
std::set<std::string> switches_beside(const Fabric& fabric, const FabricNode& adapter);

constexpr std::size_t guid_digits = 16;

/// Whether the adapter is part of a switch (SHARP), not of a host.
bool is_in_a_switch(const FabricNode& adapter) {
  return adapter.description.find("Aggregation Node") != std::string::npos;
}

bool has_digit(const std::string& word) {
  return std::ranges::any_of(word, [](unsigned char at) { return std::isdigit(at) != 0; });
}

/// "mlx5_0", "hfi1_0", "HCA-1", "ibp59s0": a host's device name of an adapter.
bool is_device(const std::string& word) {
  constexpr std::array<std::string_view, 10> beginnings{"mlx4_", "mlx5_", "hfi1_", "qib",  "mthca",
                                                        "HCA-",  "ibp",   "ibs",   "roce", "rdmap"};
  return has_digit(word) && std::ranges::any_of(beginnings, [&](std::string_view begin) {
           return word.starts_with(begin);
         });
}

/// "MT4129" of "MT4129 ConnectX7 Mellanox Technologies", the firmware's default, until a host sets
/// a description.
bool is_model(const std::string& word) {
  constexpr std::size_t least_digits = 4;
  return word.starts_with("MT") && word.size() >= 2 + least_digits &&
         std::all_of(word.begin() + 2, word.end(),
                     [](unsigned char at) { return std::isdigit(at) != 0; });
}

/// Whether it is a default name of machines.
bool is_no_name(const std::string& word) {
  return word == "localhost" || word.starts_with("localhost.") || word == "(none)" ||
         word == "(null)" || names_card(word);
}

/// The host's name in an adapter's description; nullopt without one.
std::optional<std::string> name_in(const std::string& description) {
  const std::vector<std::string> words = words_of_line(description);
  const bool names_device = words.size() == 2 && is_device(words.back());  // of a host "MT4001"
  const bool is_default = !words.empty() && !names_device && is_model(words.front());
  if (words.empty() || is_default ||
      description.find("Mellanox Technologies") != std::string::npos) {
    return std::nullopt;
  }
  std::string name = words.front();
  // qib: "Intel Infiniband HCA n1", QLogic before it.
  if (words.size() > 3 && words[1] == "Infiniband" && words[2] == "HCA") name = words[3];
  const bool is_alone = words.size() == 1 && is_device(name);
  if (is_no_name(name) || is_alone || !is_host_name(name)) return std::nullopt;
  return name;
}

/// An adapter connected to a switch.
struct Adapter {
  std::string identifier;
  const FabricNode* node = nullptr;
  std::set<std::string> switches;  ///< their identifiers
};

class HostsOfAdapters {
 public:
  HostsOfAdapters(const Fabric& fabric, const HostsOfGuids& hosts,
                  const std::map<std::string, std::string>& switch_names, NetworkNotes& notes)
      : switch_names_(switch_names), notes_(notes) {
    for (const auto& [guid, host] : hosts) {
      if (const auto digits = guid_of(guid)) by_guid_[*digits] = host;
      full_names_[host.substr(0, host.find('.'))] = host;
    }
    for (const auto& [identifier, node] : fabric.nodes) {
      if (!identifier.starts_with("H-") || is_in_a_switch(node)) continue;
      adapters_.push_back({identifier, &node, switches_beside(fabric, node)});
    }
    std::erase_if(adapters_, [](const Adapter& one) { return one.switches.empty(); });
    join_by_guids();
    join_by_names();
    join_by_systems();
    for (const Adapter& adapter : adapters_) note_nameless(adapter);
    note_systems();
  }

  [[nodiscard]] std::map<std::string, std::string> take() { return std::move(hosts_); }

 private:
  void join_by_guids() {
    for (const Adapter& adapter : adapters_) {
      for (const std::string& guid : {adapter.identifier.substr(2), adapter.node->system_guid}) {
        const auto known = by_guid_.find(guid);
        if (known != by_guid_.end()) hosts_.emplace(adapter.identifier, known->second);
      }
    }
    join_by_systems();
  }

  void join_by_names() {
    std::map<std::string, std::vector<const Adapter*>> by_name;
    for (const Adapter& adapter : adapters_) {
      const auto name = name_in(adapter.node->description);
      if (name && !hosts_.contains(adapter.identifier)) by_name[*name].push_back(&adapter);
    }
    join_cards(by_name);
    const std::map<std::string, std::string> sites = sites_of_rails(by_name);
    for (const auto& [name, adapters] : by_name) {
      const bool is_shared = is_of_several_machines(adapters, sites);
      const auto full = full_names_.find(name);
      for (const Adapter* adapter : adapters) {
        if (is_shared) {
          shared_names_.insert(adapter->identifier);
        } else {
          hosts_[adapter->identifier] = full == full_names_.end() ? name : full->second;
        }
      }
    }
  }

  /// Adapters named after a host's card belong to the host, if that has adapters, too.
  static void join_cards(std::map<std::string, std::vector<const Adapter*>>& by_name) {
    for (auto entry = by_name.begin(); entry != by_name.end();) {
      const auto host = by_name.find(host_of_card(entry->first));
      if (host == by_name.end() || host == entry) {
        ++entry;
        continue;
      }
      host->second.insert(host->second.end(), entry->second.begin(), entry->second.end());
      entry = by_name.erase(entry);
    }
  }

  /// An adapter without a host's name belongs to the host that its system's other adapters name, if
  /// they agree.
  void join_by_systems() {
    std::map<std::string, std::set<std::string>> by_system;
    for (const Adapter& adapter : adapters_) {
      const auto host = hosts_.find(adapter.identifier);
      if (host != hosts_.end()) by_system[adapter.node->system_guid].insert(host->second);
    }
    for (const Adapter& adapter : adapters_) {
      const auto system = by_system.find(adapter.node->system_guid);
      const bool is_one = !adapter.node->system_guid.empty() && system != by_system.end() &&
                          system->second.size() == 1;
      if (is_one && !shared_names_.contains(adapter.identifier)) {
        hosts_.emplace(adapter.identifier, *system->second.begin());
      }
    }
  }

  /// The site of each switch, if each name belonged to one host. Common switches have none.
  static std::map<std::string, std::string> sites_of_rails(
      const std::map<std::string, std::vector<const Adapter*>>& by_name) {
    SwitchesOfHosts switches;
    for (const auto& [name, adapters] : by_name) {
      for (const Adapter* adapter : adapters) {
        switches[name].insert(adapter->switches.begin(), adapter->switches.end());
      }
    }
    leave_out_common(switches);
    NetworkNotes unused;
    std::map<std::string, std::string> sites;
    for (const auto& [site, members] : group_switches(switches, unused).switches) {
      for (const std::string& member : members) sites[member] = site;
    }
    return sites;
  }

  /// Adapters of different systems with the same description belong to different machines in two
  /// cases. Either it names the device too ("ubuntu mlx5_0" twice), or their switches are at
  /// different sites.
  static bool is_of_several_machines(const std::vector<const Adapter*>& adapters,
                                     const std::map<std::string, std::string>& sites) {
    std::map<std::string, const Adapter*> by_text;
    for (const Adapter* adapter : adapters) {
      const auto words = words_of_line(adapter->node->description);
      const auto [known, is_new] = by_text.emplace(join(words, " "), adapter);
      const Adapter& other = *known->second;
      const bool is_same_system = !adapter->node->system_guid.empty() &&
                                  adapter->node->system_guid == other.node->system_guid;
      if (is_new || is_same_system) continue;
      if (words.size() > 1 && is_device(words.back())) return true;
      const auto here = sites.find(*adapter->switches.begin());
      const auto there = sites.find(*other.switches.begin());
      const bool are_known = here != sites.end() && there != sites.end();
      if (are_known && here->second != there->second) return true;
    }
    return false;
  }

  void note_nameless(const Adapter& adapter) {
    if (hosts_.contains(adapter.identifier)) return;
    const bool is_shared = shared_names_.contains(adapter.identifier);
    notes_.leave_out("adapter",
                     is_shared
                         ? "whose name several machines have (--guids FILE distinguishes them)"
                         : "naming no host (--guids FILE adds them)",
                     fmt::format("{} '{}' at {}", adapter.identifier,
                                 join(words_of_line(adapter.node->description), " "),
                                 switch_names_.at(*adapter.switches.begin())));
  }

  /// Notes hosts with several system GUIDs: several cards in one machine, or several machines with
  /// one name.
  void note_systems() {
    std::map<std::string, std::set<std::string>> systems;
    std::map<std::string, std::set<std::string>> switches;
    for (const Adapter& adapter : adapters_) {
      const auto host = hosts_.find(adapter.identifier);
      if (host == hosts_.end() || by_guid_.contains(adapter.identifier.substr(2))) continue;
      systems[host->second].insert(adapter.node->system_guid);
      switches[host->second].insert(adapter.switches.begin(), adapter.switches.end());
    }
    for (const auto& [host, guids] : systems) {
      if (guids.size() < 2 || switches.at(host).size() < 2) continue;
      notes_.mention(
          "host", "with cards of several system GUIDs at several switches, one host by name", host);
    }
  }

  const std::map<std::string, std::string>& switch_names_;
  NetworkNotes& notes_;
  HostsOfGuids by_guid_;
  std::map<std::string, std::string> full_names_;  ///< of hosts with GUIDs, by short name
  std::vector<Adapter> adapters_;
  std::set<std::string> shared_names_;        ///< identifiers of adapters
  std::map<std::string, std::string> hosts_;  ///< by identifiers of adapters
};

std::optional<std::string> guid_of(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::string digits;
  for (const char at : text) {
    if (at == ':') continue;
    if (at >= 'A' && at <= 'F') {
      digits.push_back(static_cast<char>(at - 'A' + 'a'));
    } else if ((at >= '0' && at <= '9') || (at >= 'a' && at <= 'f')) {
      digits.push_back(at);
    } else {
      return std::nullopt;
    }
  }
  if (digits.empty() || digits.size() > guid_digits) return std::nullopt;
  return fmt::format("{:0>{}}", digits, guid_digits);
}

/// Whether a switch is inside a card of a host: it is described as one, or has few ports and
/// adapters of one system.
bool is_in_a_card(const Fabric& fabric, const FabricNode& node) {
  constexpr int most_ports = 4;
  std::set<std::string> systems;
  std::size_t adapters = 0;
  for (const std::string& peer : node.peers) {
    if (!peer.starts_with("H-")) continue;
    ++adapters;
    systems.insert(fabric.nodes.at(peer).system_guid);
  }
  const bool has_way_out = adapters > 0 && adapters < node.peers.size();
  const bool is_small = node.ports > 0 && node.ports <= most_ports && systems.size() == 1;
  return has_way_out && (names_card(node.description) || is_small);
}

std::set<std::string> switches_beside(const Fabric& fabric, const FabricNode& adapter) {
  std::set<std::string> switches;
  for (const std::string& peer : adapter.peers) {
    if (!peer.starts_with("S-")) continue;
    const FabricNode& beside = fabric.nodes.at(peer);
    if (!is_in_a_card(fabric, beside)) {
      switches.insert(peer);
      continue;
    }
    for (const std::string& behind : beside.peers) {
      if (behind.starts_with("S-")) switches.insert(behind);
    }
  }
  return switches;
}

/// The host of each adapter at a switch, by its identifier; see sites_of(Fabric). `switch_names`
/// are for the notes.
std::map<std::string, std::string> hosts_of_adapters(
    const Fabric& fabric, const HostsOfGuids& hosts,
    const std::map<std::string, std::string>& switch_names, NetworkNotes& notes) {
  return HostsOfAdapters(fabric, hosts, switch_names, notes).take();
}

/// The text between the first two quotes, and the text after them.
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

/// "H-0002c90300" with all digits of its GUID; nullopt if it names no node.
std::optional<std::string> identifier_in(std::string_view text) {
  constexpr std::string_view kinds = "HSR";
  const bool has_kind =
      text.size() > 2 && text[1] == '-' && kinds.find(text.front()) != std::string_view::npos;
  const auto guid = has_kind ? guid_of(text.substr(2)) : std::nullopt;
  return guid ? std::optional(fmt::format("{}{}", text.substr(0, 2), *guid)) : std::nullopt;
}

/// Thrown for a line that ibnetdiscover does not print.
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
        fabric_.notes.leave_out("line", "ibnetdiscover does not print",
                                fmt::format("{}:{}: '{}' ({})", name_, lines_.number(),
                                            lines_.line().substr(0, 40), bad.why));
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

  /// The node that a line names, and the rest of the line.
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

  /// Begins a node. Ports after an unnamed node are ignored.
  void begin_node(std::string_view line) {
    current_.clear();
    const NamedNode named = named_node(line);
    current_ = named.identifier;
    FabricNode& node = fabric_.nodes[current_];
    if (const auto described = quoted_in(named.rest)) node.description = described->text;
    node.system_guid = system_;
    node.ports = as_number<int>(words_of_line(line)[1]).value_or(0);
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

/// Whether a word is written like a GUID: "0x2c90300123456", "0c42:a103:0012:3456", or 16 digits.
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

/// Number of links from some switches to all reachable others, via switches only.
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

/// "leaf1" of "MF0;leaf1:MQM9700/U1", the description of a managed switch's chip; else all of it.
std::string short_description(const std::string& description) {
  const std::size_t begin = description.find(';');
  const std::size_t end = description.find(':', begin == std::string::npos ? 0 : begin);
  if (!description.starts_with("MF") || begin == std::string::npos || end == std::string::npos) {
    return description;
  }
  return description.substr(begin + 1, end - begin - 1);
}

/// The short description of each switch, if no other switch has it; else its identifier.
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
      if (!name.empty() && uses.at(name).size() == 1) names[identifier] = escaped(name);
    }
  }
  return names;
}

/// The smallest number of links to one of some switches; nullopt if none is reachable.
std::optional<int> fewest_links(const std::map<std::string, int>& links,
                                const std::vector<std::string>& switches) {
  std::optional<int> fewest;
  for (const std::string& identifier : switches) {
    const auto found = links.find(identifier);
    if (found != links.end()) fewest = std::min(fewest.value_or(found->second), found->second);
  }
  return fewest;
}

/// Counts links between sites of several switches, between the nearest two.
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

/// The switches of each host, by the hosts of its adapters. InputError if none has the device.
SwitchesOfHosts switches_of_hosts(const Fabric& fabric,
                                  const std::map<std::string, std::string>& hosts,
                                  const std::string& device, const SiteOrigin& origin) {
  SwitchesOfHosts switches;
  std::set<std::string> devices;
  for (const auto& [identifier, host] : hosts) {
    const FabricNode& adapter = fabric.nodes.at(identifier);
    const std::string own =
        words_of_line(adapter.description).empty() ? "" : words_of_line(adapter.description).back();
    if (is_device(own)) devices.insert(own);
    if (!device.empty() && own != device) continue;
    const std::set<std::string> beside = switches_beside(fabric, adapter);
    switches[host].insert(beside.begin(), beside.end());
  }
  if (switches.empty() && !device.empty()) {
    throw InputError(
        {fmt::format("{}: no host has an adapter '{}'", escaped(origin.detail), escaped(device)),
         devices.empty() ? "adapters are described without their devices"
                         : "adapters are " + escaped(join({devices.begin(), devices.end()})),
         "name one of these with --interface"});
  }
  return switches;
}

/// Adds a line with a host and GUIDs; InputError if either is missing.
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
    reject_network(escaped(text.name) + ": no adapters in the fabric", fabric.notes,
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

DescribedNetwork sites_of(const Fabric& fabric, const HostsOfGuids& hosts, const SiteOrigin& origin,
                          const std::string& device) {
  NetworkNotes notes = fabric.notes;
  const auto names = switch_names(fabric);
  SwitchesOfHosts switches =
      switches_of_hosts(fabric, hosts_of_adapters(fabric, hosts, names, notes), device, origin);
  for (const auto& [count, identifier] : leave_out_common(switches)) {
    notes.leave_out("switch", "of hosts that other switches part (--interface DEVICE chooses)",
                    fmt::format("{} ({} hosts)", names.at(identifier), count));
  }
  const SwitchGroups groups = group_switches(named_switches(switches, names), notes);
  NestedSites nested{.levels = level_names(1), .of_host = {}};
  for (const auto& [host, site] : groups.site_of_host) nested.of_host[host] = {site};
  if (nested.of_host.empty()) {
    reject_network(escaped(origin.detail) + ": no adapter of a known host at a switch", notes,
                   fmt::format("{} GUIDs of hosts are known", hosts.size()),
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
