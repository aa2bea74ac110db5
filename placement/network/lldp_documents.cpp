#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/lldp.hpp"

namespace hockney::placement {
namespace {

/// What json prints as one object or a list of several, and json0 always as a list.
std::vector<JsonNode> listed(const JsonNode& node) {
  return node.is_object() || node.is_text() ? std::vector<JsonNode>{node} : node.elements();
}

/// The member `key` of an object; of a list of json0 that of its first element.
std::optional<JsonNode> member(const JsonNode& owner, std::string_view key) {
  auto value = owner.is_object() ? owner.find(key) : std::nullopt;
  if (!value || value->is_object() || value->is_text()) return value;
  const std::vector<JsonNode> all = value->elements();
  return all.empty() ? std::nullopt : std::optional(all.front());
}

/// A text of json, or an object {"value": text} of json0.
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

/// Of a device that says nothing of it, true.
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

/// The device of a chassis and its name, which json has as the key of the device.
struct NamedDevice {
  std::string name;
  std::string id;
  JsonNode device;
};

NamedDevice device_in(const JsonNode& chassis) {
  const std::vector<std::string> keys = chassis.keys();
  if (keys.empty()) {
    chassis.reject("names no device", "the one that was heard stands there",
                   "name what lldpctl -f json printed");
  }
  if (!chassis.find("id")) {
    const JsonNode device = chassis.at(keys.front());
    return {keys.front(), device.is_object() ? id_of(device) : "", device};
  }
  const std::string name = text_of(member(chassis, "name"));
  const std::string id = id_of(chassis);
  return {name.empty() ? id : name, id, chassis};
}

/// What an interface hears; nullopt of a device that is no switch.
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
  return LldpNeighbour{interface, named.name, port ? id_of(*port) : "", named.id, speed_of(port)};
}

void add_heard(std::vector<LldpNeighbour>& neighbours, const std::string& interface,
               const JsonNode& heard) {
  const auto one = neighbour_of(interface, heard);
  if (one) neighbours.push_back(*one);
}

/// What an entry has of one interface (json0), or of several, each with one neighbour or more.
void add_heard(std::vector<LldpNeighbour>& neighbours, const JsonNode& entry) {
  const auto name = entry.find("name");
  if (name && name->is_text()) return add_heard(neighbours, name->text(), entry);
  for (const std::string& interface : entry.keys()) {
    for (const JsonNode& heard : listed(entry.at(interface))) {
      add_heard(neighbours, interface, heard);
    }
  }
}

/// "lldp.eth0.100.chassis.name=leaf1": names of interfaces may have dots.
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

/// A neighbour while its lines are read.
struct WrittenNeighbour {
  LldpNeighbour heard;
  bool tells_capabilities = false;
  bool forwards = false;
};

void add(WrittenNeighbour& one, const KeyValue& line) {
  constexpr std::array<std::string_view, 4> ids{"chassis.mac", "chassis.local", "chassis.ifname",
                                                "chassis.ip"};
  if (line.key == "chassis.name") one.heard.device = line.value;
  if (std::ranges::count(ids, line.key) > 0) one.heard.id = line.value;
  if (line.key == "port.ifname" || line.key == "port.mac" || line.key == "port.local") {
    one.heard.port = line.value;
  }
  if (line.key == "port.auto-negotiation.current") one.heard.speed = speed_in(line.value);
  if (!line.key.starts_with("chassis.") || !line.key.ends_with(".enabled")) return;
  one.tells_capabilities = true;
  const bool is_switch =
      line.key == "chassis.Bridge.enabled" || line.key == "chassis.Router.enabled";
  one.forwards = one.forwards || (is_switch && line.value == "on");
}

}  // namespace

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
      throw lines.error("'" + shortened(lines.line()) + "' is no line of lldpctl",
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
    const bool is_switch = one.forwards || !one.tells_capabilities;
    if (is_switch && !one.heard.device.empty()) neighbours.push_back(std::move(one.heard));
  }
  return neighbours;
}

}  // namespace hockney::placement
