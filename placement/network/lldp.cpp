#include "placement/network/lldp.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {
namespace {

/// The hosts that have each device as a neighbour.
std::map<std::string, std::set<std::string>> hearers(const LldpHosts& hosts) {
  std::map<std::string, std::set<std::string>> heard_by;
  for (const auto& [host, neighbours] : hosts) {
    for (const LldpNeighbour& one : neighbours) heard_by[one.device].insert(host);
  }
  return heard_by;
}

/// Unnamed switches have the same default name; adds their identifiers. Identifiers that differ for
/// every host are of ports, not of switches, and are not added.
LldpHosts with_own_names(LldpHosts hosts, NetworkNotes& notes) {
  std::map<std::string, std::set<std::string>> ids;
  for (const auto& [host, neighbours] : hosts) {
    for (const LldpNeighbour& one : neighbours) ids[one.device].insert(one.id);
  }
  const auto heard_by = hearers(hosts);
  std::erase_if(ids, [&](const auto& device) {
    return device.second.size() < 2 || device.second.size() >= heard_by.at(device.first).size();
  });
  for (const auto& [device, own] : ids) {
    notes.mention("name", "that several switches have, distinguished by their identifiers", device);
  }
  for (auto& [host, neighbours] : hosts) {
    for (LldpNeighbour& one : neighbours) {
      if (ids.contains(one.device)) one.device += " " + one.id;
    }
  }
  return hosts;
}

/// Chooses one of the hosts' networks.
class ChosenNetwork {
 public:
  ChosenNetwork(LldpHosts hosts, NetworkNotes& notes) : hosts_(std::move(hosts)), notes_(notes) {}

  /// The neighbours on these interfaces, separated by commas.
  LldpHosts of_interfaces(const std::string& names) {
    drop_cards();
    const std::vector<std::string> wanted = split(names, ',');
    for (auto& [host, neighbours] : hosts_) {
      std::erase_if(neighbours, [&](const LldpNeighbour& one) {
        return std::ranges::count(wanted, one.interface) == 0;
      });
    }
    return std::move(hosts_);
  }

  LldpHosts by_itself() {
    drop_cards();
    drop_slow_ports();
    drop_own_devices();
    drop_common_switches();
    return std::move(hosts_);
  }

 private:
  /// Drops a host's own cards: they say so, or have the host's name with a word for a card.
  void drop_cards() {
    const auto heard_by = hearers(hosts_);
    for (auto& entry : hosts_) {
      const std::string host = entry.first.substr(0, entry.first.find('.'));
      std::erase_if(entry.second, [&](const LldpNeighbour& one) {
        const bool is_own = heard_by.at(one.device).size() == 1 && host_of_card(one.device) == host;
        if (!is_own && !one.is_card && !names_card(one.device)) return false;
        notes_.leave_out("card", "of a host, no switch",
                         fmt::format("{} (by {})", one.device, entry.first));
        return true;
      });
    }
  }

  /// Drops switches that most of their hosts reach at a slower port than others.
  void drop_slow_ports() {
    std::map<std::string, std::size_t> slow_for;  // hosts, by device
    std::map<std::string, std::set<int>> speeds;
    const auto heard_by = hearers(hosts_);
    for (const auto& [host, neighbours] : hosts_) {
      const bool reports_all = std::ranges::all_of(
          neighbours, [](const LldpNeighbour& one) { return one.speed.has_value(); });
      if (!reports_all || neighbours.empty()) continue;
      const auto fastest = std::ranges::max(neighbours, {}, &LldpNeighbour::speed).speed;
      std::set<std::string> slow;
      for (const LldpNeighbour& one : neighbours) {
        if (one.speed != fastest) slow.insert(one.device);
        speeds[one.device].insert(one.speed.value_or(0));
      }
      for (const std::string& device : slow) ++slow_for[device];
    }
    for (const auto& [device, count] : slow_for) {
      if (2 * count <= heard_by.at(device).size()) continue;
      drop(device);
      notes_.leave_out("switch", "at slower ports than others (--interface NAME chooses)",
                       fmt::format("{} ({} Mbit/s)", device, join_numbers(speeds.at(device))));
    }
  }

  void drop(const std::string& device) {
    for (auto& [host, neighbours] : hosts_) {
      std::erase_if(neighbours, [&](const LldpNeighbour& one) { return one.device == device; });
    }
  }

  /// Drops a device that only one host has, if it is on an interface with a shared switch: it is
  /// the host's own bridge. On an interface without a shared switch it may be a real switch with
  /// only one host.
  void drop_own_devices() {
    const auto heard_by = hearers(hosts_);
    const auto is_shared = [&](const LldpNeighbour& one) {
      return heard_by.at(one.device).size() > 1;
    };
    for (auto& entry : hosts_) {
      std::set<std::string> interfaces;  // of the host with shared devices
      for (const LldpNeighbour& one : entry.second) {
        if (is_shared(one)) interfaces.insert(one.interface);
      }
      std::erase_if(entry.second, [&](const LldpNeighbour& one) {
        if (is_shared(one) || !interfaces.contains(one.interface)) return false;
        notes_.leave_out("device", "that only one host receives on the port of a switch",
                         fmt::format("{} (by {})", one.device, entry.first));
        return true;
      });
    }
  }

  void drop_common_switches() {
    for (const auto& [count, device] : switches_by_hosts(switches())) {
      if (!is_common_switch(switches(), device)) continue;
      notes_.leave_out(
          "switch", "received by hosts that other switches part (--interface NAME chooses)",
          fmt::format("{} ({} hosts, on {})", device, count, join(interfaces_to(device))));
      drop(device);
    }
  }

  [[nodiscard]] SwitchesOfHosts switches() const {
    SwitchesOfHosts switches;
    for (const auto& [host, neighbours] : hosts_) {
      for (const LldpNeighbour& one : neighbours) switches[host].insert(one.device);
    }
    return switches;
  }

  [[nodiscard]] std::vector<std::string> interfaces_to(const std::string& device) const {
    std::set<std::string> interfaces;
    for (const auto& [host, neighbours] : hosts_) {
      for (const LldpNeighbour& one : neighbours) {
        if (one.device == device) interfaces.insert(one.interface);
      }
    }
    return {interfaces.begin(), interfaces.end()};
  }

  LldpHosts hosts_;
  NetworkNotes& notes_;
};

std::set<std::string> interfaces_of(const LldpHosts& hosts) {
  std::set<std::string> interfaces;
  for (const auto& [host, neighbours] : hosts) {
    for (const LldpNeighbour& one : neighbours) interfaces.insert(one.interface);
  }
  return interfaces;
}

/// Notes the interfaces of the network, if hosts have switches on others too.
void note_interfaces(const std::set<std::string>& heard, const std::set<std::string>& used,
                     NetworkNotes& notes) {
  std::vector<std::string> others;
  std::ranges::set_difference(heard, used, std::back_inserter(others));
  if (others.empty() || used.empty()) return;
  notes.remark(fmt::format("uses what hosts receive on {}, not on {} (--interface NAME chooses)",
                           join({used.begin(), used.end()}), join(others)));
}

/// The elements of a list; json prints a list of one as an object, json0 as a list.
std::vector<JsonNode> listed(const JsonNode& node) {
  return node.is_object() || node.is_text() ? std::vector<JsonNode>{node} : node.elements();
}

/// The member `key` of an object; for a list (json0) its first element.
std::optional<JsonNode> member(const JsonNode& owner, std::string_view key) {
  auto value = owner.is_object() ? owner.find(key) : std::nullopt;
  if (!value || value->is_object() || value->is_text()) return value;
  const std::vector<JsonNode> all = value->elements();
  return all.empty() ? std::nullopt : std::optional(all.front());
}

/// A text (json), or the text of an object {"value": text} (json0).
std::string text_of(const std::optional<JsonNode>& node) {
  if (!node) return "";
  if (node->is_text()) return node->text();
  const auto value = member(*node, "value");
  return value && value->is_text() ? value->text() : "";
}

std::string id_of(const JsonNode& owner) { return text_of(member(owner, "id")); }

/// true, or "on" and "yes" of older versions.
bool is_true(const JsonNode& node) {
  return node.is_text() ? node.text() == "on" || node.text() == "yes" : node.boolean();
}

/// Whether the device is a bridge or router; true if it does not report it.
bool is_switch(const JsonNode& device) {
  const auto all = device.find("capability");
  if (!all) return true;
  return std::ranges::any_of(listed(*all), [](const JsonNode& one) {
    const auto type = one.find("type");
    const auto enabled = one.find("enabled");
    const bool forwards = type && (type->text() == "Bridge" || type->text() == "Router");
    return forwards && enabled && is_true(*enabled);
  });
}

/// "1000BaseTFD - Four-pair Category 5 UTP, full duplex mode" and "100GbaseCR4" to Mbit/s.
std::optional<int> speed_in(const std::string& mau_type) {
  constexpr int mega_in_giga = 1000;
  constexpr int fastest = 10'000'000;
  const auto end =
      std::ranges::find_if_not(mau_type, [](unsigned char at) { return std::isdigit(at) != 0; });
  const auto number = as_number<int>(std::string_view(mau_type.begin(), end));
  std::string unit(end, mau_type.end());
  std::ranges::transform(unit, unit.begin(), [](unsigned char at) { return std::tolower(at); });
  if (!number || *number > fastest || *number == 0) return std::nullopt;
  if (unit.starts_with("base")) return *number;
  if (unit.starts_with("gbase") || unit.starts_with("gigbase")) {
    return *number > fastest / mega_in_giga ? std::nullopt : std::optional(*number * mega_in_giga);
  }
  return std::nullopt;
}

std::optional<int> speed_of(const std::optional<JsonNode>& port) {
  const auto negotiated = port ? member(*port, "auto-negotiation") : std::nullopt;
  return negotiated ? speed_in(text_of(member(*negotiated, "current"))) : std::nullopt;
}

/// The device of a chassis and its name, which is the key of the device in json.
struct NamedDevice {
  std::string name;
  std::string id;
  JsonNode device;
};

NamedDevice device_in(const JsonNode& chassis) {
  const std::vector<JsonMember> members = chassis.members();
  if (members.empty()) {
    chassis.reject("names no device", "the received one is kept",
                   "name what lldpctl -f json printed");
  }
  if (!chassis.find("id")) {
    const auto& [name, device] = members.front();
    return {name, device.is_object() ? id_of(device) : "", device};
  }
  const std::string name = text_of(member(chassis, "name"));
  const std::string id = id_of(chassis);
  return {name.empty() ? id : name, id, chassis};
}

/// The neighbour of an interface; nullopt if the device is no switch.
std::optional<LldpNeighbour> neighbour_of(const std::string& interface, const JsonNode& heard) {
  const auto chassis = member(heard, "chassis");
  if (!chassis) return std::nullopt;
  const NamedDevice named = device_in(*chassis);
  if (!is_switch(named.device)) return std::nullopt;
  if (named.name.empty()) {
    chassis->reject("names no device", "it has neither a name nor an identifier",
                    "name what lldpctl -f json printed");
  }
  const auto port = member(heard, "port");
  const bool is_card = names_card(text_of(member(named.device, "descr")));
  return LldpNeighbour{interface, named.name,     port ? id_of(*port) : "",
                       named.id,  speed_of(port), is_card};
}

void add_heard(std::vector<LldpNeighbour>& neighbours, const std::string& interface,
               const JsonNode& heard) {
  const auto one = neighbour_of(interface, heard);
  if (one) neighbours.push_back(*one);
}

/// Adds the neighbours of an entry, which has one interface (json0) or several.
void add_heard(std::vector<LldpNeighbour>& neighbours, const JsonNode& entry) {
  const auto name = entry.find("name");
  if (name && name->is_text()) return add_heard(neighbours, name->text(), entry);
  for (const auto& [interface, all] : entry.members()) {
    for (const JsonNode& heard : listed(all)) add_heard(neighbours, interface, heard);
  }
}

/// "lldp.eth0.100.chassis.name=leaf1": an interface's name may have dots.
struct KeyValue {
  std::string interface;
  std::string key;  ///< "chassis.name"
  std::string value;
};

std::optional<KeyValue> key_value_in(std::string_view line) {
  constexpr std::string_view begin = "lldp.";
  const std::size_t equals = line.find('=');
  if (!line.starts_with(begin) || equals == std::string_view::npos) return std::nullopt;
  const std::string_view keys = line.substr(begin.size(), equals - begin.size());
  std::size_t end = std::min(keys.find(".chassis."), keys.find(".port."));
  if (end == std::string_view::npos) end = keys.rfind('.');
  if (end == std::string_view::npos) return std::nullopt;
  return KeyValue{std::string(keys.substr(0, end)), std::string(keys.substr(end + 1)),
                  std::string(line.substr(equals + 1))};
}

/// A neighbour, while its lines are read.
struct WrittenNeighbour {
  LldpNeighbour heard;
  bool reports_capabilities = false;
  bool forwards = false;
};

void add(WrittenNeighbour& one, const KeyValue& line) {
  constexpr std::array<std::string_view, 4> ids{"chassis.mac", "chassis.local", "chassis.ifname",
                                                "chassis.ip"};
  if (line.key == "chassis.name") one.heard.device = line.value;
  if (line.key == "chassis.descr") one.heard.is_card = names_card(line.value);
  if (std::ranges::count(ids, line.key) > 0) one.heard.id = line.value;
  if (line.key == "port.ifname" || line.key == "port.mac" || line.key == "port.local") {
    one.heard.port = line.value;
  }
  if (line.key == "port.auto-negotiation.current") one.heard.speed = speed_in(line.value);
  if (!line.key.starts_with("chassis.") || !line.key.ends_with(".enabled")) return;
  one.reports_capabilities = true;
  const bool is_switch =
      line.key == "chassis.Bridge.enabled" || line.key == "chassis.Router.enabled";
  one.forwards = one.forwards || (is_switch && line.value == "on");
}

}  // namespace

DescribedNetwork sites_of(const LldpHosts& hosts, const SiteOrigin& origin, NetworkNotes notes,
                          const std::string& interface) {
  ChosenNetwork network(with_own_names(hosts, notes), notes);
  const LldpHosts chosen =
      interface.empty() ? network.by_itself() : network.of_interfaces(interface);
  const std::set<std::string> heard = interfaces_of(hosts);
  note_interfaces(heard, interfaces_of(chosen), notes);
  SwitchesOfHosts switches;
  for (const auto& [host, neighbours] : chosen) {
    for (const LldpNeighbour& one : neighbours) switches[host].insert(one.device);
    if (!neighbours.empty()) continue;
    notes.leave_out("host",
                    hosts.at(host).empty() ? "hearing no switch (place unknown)"
                                           : "hearing none of these switches (place unknown)",
                    host);
  }
  NestedSites nested{.levels = level_names(1), .of_host = {}};
  for (const auto& [host, site] : group_switches(switches, notes).site_of_host) {
    nested.of_host[host] = {site};
  }
  if (nested.of_host.empty() && !heard.empty()) {
    throw InputError({fmt::format("{}: no host receives LLDP of a switch on {}",
                                  escaped(origin.detail), escaped(interface)),
                      "LLDP of switches arrives on " + escaped(join({heard.begin(), heard.end()})),
                      "name one of these with --interface"});
  }
  if (nested.of_host.empty()) {
    reject_network(escaped(origin.detail) + ": no host receives LLDP of a switch", notes,
                   "LLDP names none on any interface",
                   "turn LLDP on at the switches, or write a site file");
  }
  SiteFile file = sites_of(nested, origin);
  return {.sites = std::move(file), .notes = notes.lines()};
}

std::vector<LldpNeighbour> read_lldp(const JsonNode& document) {
  std::vector<LldpNeighbour> neighbours;
  for (const JsonNode& lldp : listed(document.at("lldp"))) {
    const auto interfaces = lldp.find("interface");
    if (!interfaces) continue;
    for (const JsonNode& entry : listed(*interfaces)) add_heard(neighbours, entry);
  }
  return neighbours;
}

std::vector<LldpNeighbour> read_lldp_lines(const NetworkText& text) {
  std::vector<WrittenNeighbour> written;
  NumberedLines lines(text);
  while (lines.next()) {
    const auto line = key_value_in(lines.line());
    if (!line) {
      throw lines.error(fmt::format("'{}' is no line of lldpctl", shortened(lines.line())),
                        "-f keyvalue prints lldp.INTERFACE.KEY=VALUE",
                        "name what lldpctl -f keyvalue printed");
    }
    const bool is_next =
        written.empty() || line->key == "via" || written.back().heard.interface != line->interface;
    if (is_next) {
      written.emplace_back();
      written.back().heard.interface = line->interface;
    }
    add(written.back(), *line);
  }
  std::vector<LldpNeighbour> neighbours;
  for (WrittenNeighbour& one : written) {
    if (one.heard.device.empty()) one.heard.device = one.heard.id;
    const bool is_switch = one.forwards || !one.reports_capabilities;
    if (is_switch && !one.heard.device.empty()) neighbours.push_back(std::move(one.heard));
  }
  return neighbours;
}

}  // namespace hockney::placement
