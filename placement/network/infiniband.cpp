#include "placement/network/infiniband.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"

namespace hockney::placement {
namespace {

constexpr std::size_t guid_digits = 16;

/// "0x2c903:0012" and "2c9030012" to 16 digits; nullopt for what is no GUID.
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
  return std::string(guid_digits - digits.size(), '0') + digits;
}

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

class FabricReader {
 public:
  explicit FabricReader(const NetworkText& text) : lines_(text) {}

  Fabric read() {
    while (lines_.next()) add(lines_.line());
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
    const bool is_group = first == "Chassis" || first == "Non-Chassis" || first == "Spine";
    if (is_fact || is_group) return;
    throw lines_.error("'" + std::string(line.substr(0, 40)) + "' is no line of ibnetdiscover",
                       "it prints facts, nodes and their ports",
                       "name what ibnetdiscover printed without options");
  }

  void begin_system(std::string_view guid) {
    const auto system = guid_of(guid.substr(0, guid.find('(')));
    if (!system) {
      throw lines_.error("'" + std::string(guid) + "' is no GUID", "it has up to 16 hex digits",
                         "name what ibnetdiscover printed");
    }
    system_ = *system;
  }

  void begin_node(std::string_view line) {
    const auto identifier = quoted_in(line);
    const auto known = identifier ? identifier_in(identifier->text) : std::nullopt;
    if (!known) reject_node();
    current_ = *known;
    FabricNode& node = fabric_[current_];
    if (const auto described = quoted_in(identifier->rest)) node.description = described->text;
    node.system_guid = system_;
    system_.clear();
  }

  void add_port(std::string_view line) {
    if (current_.empty()) {
      throw lines_.error("a port before the first node", "the node it belongs to is missing",
                         "name the whole of what ibnetdiscover printed");
    }
    const auto peer = quoted_in(line);
    const auto identifier = peer ? identifier_in(peer->text) : std::nullopt;
    if (!identifier) reject_node();
    fabric_[current_].peers.insert(*identifier);
    fabric_[*identifier].peers.insert(current_);
  }

  [[noreturn]] void reject_node() const {
    throw lines_.error("no node is named", "it is H-, S- or R- and the digits of a GUID, in quotes",
                       "name what ibnetdiscover printed");
  }

  NumberedLines lines_;
  Fabric fabric_;
  std::string current_;
  std::string system_;
};

/// Switches compute for collectives with adapters of their own (SHARP), which are no hosts'.
bool is_in_a_switch(const FabricNode& adapter) {
  return adapter.description.find("Aggregation Node") != std::string::npos;
}

/// The host of an adapter; nullopt of one that is no host's.
std::optional<std::string> host_of(const std::string& identifier, const FabricNode& adapter,
                                   const HostsOfGuids& hosts) {
  if (!identifier.starts_with("H-") || is_in_a_switch(adapter)) return std::nullopt;
  if (hosts.empty()) {
    const std::vector<std::string> words = words_of_line(adapter.description);
    const bool is_name = !words.empty() && is_host_name(words.front());
    return is_name ? std::optional(words.front()) : std::nullopt;
  }
  for (const std::string& guid : {identifier.substr(2), adapter.system_guid}) {
    const auto known = hosts.find(guid);
    if (known != hosts.end()) return known->second;
  }
  return std::nullopt;
}

std::optional<std::string> switch_beside(const FabricNode& adapter) {
  const auto found = std::ranges::find_if(
      adapter.peers, [](const std::string& peer) { return peer.starts_with("S-"); });
  return found == adapter.peers.end() ? std::nullopt : std::optional(*found);
}

/// Links from a switch to all others that can be reached, through switches alone.
std::map<std::string, int> links_from(const Fabric& fabric, const std::string& start) {
  std::map<std::string, int> links{{start, 0}};
  std::deque<std::string> next{start};
  while (!next.empty()) {
    const std::string at = next.front();
    next.pop_front();
    for (const std::string& peer : fabric.at(at).peers) {
      if (!peer.starts_with("S-") || !links.emplace(peer, links[at] + 1).second) continue;
      next.push_back(peer);
    }
  }
  return links;
}

/// The description of a switch where no other has the same, else its identifier.
std::map<std::string, std::string> switch_names(const Fabric& fabric) {
  std::map<std::string, int> uses;
  for (const auto& [identifier, node] : fabric) ++uses[node.description];
  std::map<std::string, std::string> names;
  for (const auto& [identifier, node] : fabric) {
    const bool is_own = !node.description.empty() && uses[node.description] == 1;
    names[identifier] = is_own ? inert(node.description) : identifier;
  }
  return names;
}

/// The adapter by which each host is placed.
std::map<std::string, const FabricNode*> adapters_of_hosts(const Fabric& fabric,
                                                           const HostsOfGuids& hosts) {
  std::map<std::string, const FabricNode*> adapters;
  for (const auto& [identifier, node] : fabric) {
    const auto host = host_of(identifier, node, hosts);
    if (!host || !switch_beside(node)) continue;
    const FabricNode*& chosen = adapters[*host];
    if (chosen == nullptr || node.description < chosen->description) chosen = &node;
  }
  return adapters;
}

}  // namespace

Fabric read_ibnetdiscover(const NetworkText& text) {
  Fabric fabric = FabricReader(text).read();
  const bool has_adapter =
      std::ranges::any_of(fabric, [](const auto& node) { return node.first.starts_with("H-"); });
  if (!has_adapter) {
    throw InputError({inert(text.name) + ": no adapters in the fabric",
                      "no host is connected to its switches", "name what ibnetdiscover printed"});
  }
  return fabric;
}

SiteFile sites_of(const Fabric& fabric, const HostsOfGuids& hosts, const SiteOrigin& origin) {
  HostsOfGuids by_guid;
  for (const auto& [guid, host] : hosts) {
    if (const auto digits = guid_of(guid)) by_guid[*digits] = host;
  }
  NestedSites nested{.levels = level_names(1), .of_host = {}};
  const auto names = switch_names(fabric);
  std::map<std::string, std::string> switches;  // identifiers by name
  for (const auto& [host, adapter] : adapters_of_hosts(fabric, by_guid)) {
    const std::string identifier = switch_beside(*adapter).value_or("");
    nested.of_host[host] = {names.at(identifier)};
    switches[names.at(identifier)] = identifier;
  }
  if (nested.of_host.empty()) {
    throw InputError({inert(origin.detail) + ": no adapter of a known host at a switch",
                      std::to_string(hosts.size()) + " GUIDs of hosts are known",
                      "name the fabric of these hosts"});
  }
  SiteFile file = sites_of(nested, origin);
  for (const auto& [name, identifier] : switches) {
    const auto links = links_from(fabric, identifier);
    for (const auto& [other, there] : switches) {
      const auto found = links.find(there);
      if (name < other && found != links.end()) file.hops[name][other] = found->second;
    }
  }
  return file;
}

}  // namespace hockney::placement
