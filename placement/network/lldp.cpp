#include "placement/network/lldp.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"

namespace hockney::placement {
namespace {

/// "interface" is a list of objects with one member each, or where there is one, that object.
std::vector<JsonNode> listed(const JsonNode& node) {
  return node.is_object() ? std::vector<JsonNode>{node} : node.elements();
}

std::string value_of_id(const JsonNode& owner) {
  const auto id = owner.find("id");
  const auto value = id ? id->find("value") : std::nullopt;
  return value ? value->text() : "";
}

/// Of a device that says nothing of it, true.
bool is_bridge(const JsonNode& device) {
  const auto all = device.find("capability");
  if (!all) return true;
  return std::ranges::any_of(listed(*all), [](const JsonNode& one) {
    const auto type = one.find("type");
    const auto enabled = one.find("enabled");
    return type && type->text() == "Bridge" && enabled && enabled->boolean();
  });
}

/// What an interface hears; nullopt of a device that is no switch.
std::optional<LldpNeighbour> neighbour_of(const std::string& interface, const JsonNode& heard) {
  const JsonNode chassis = heard.at("chassis");
  const std::vector<std::string> keys = chassis.keys();
  const bool is_nameless = chassis.find("id").has_value();
  if (keys.empty()) {
    chassis.reject("names no device", "the one that was heard stands there",
                   "name what lldpctl -f json printed");
  }
  const JsonNode device = is_nameless ? chassis : chassis.at(keys.front());
  if (!is_bridge(device)) return std::nullopt;
  const std::string name = is_nameless ? value_of_id(device) : keys.front();
  if (name.empty()) {
    chassis.reject("names no device", "it has neither a name nor an identifier",
                   "name what lldpctl -f json printed");
  }
  const auto port = heard.find("port");
  return LldpNeighbour{interface, name, port ? value_of_id(*port) : ""};
}

}  // namespace

std::vector<LldpNeighbour> read_lldp(const JsonNode& document) {
  std::vector<LldpNeighbour> neighbours;
  const auto interfaces = document.at("lldp").find("interface");
  if (!interfaces) return neighbours;
  for (const JsonNode& entry : listed(*interfaces)) {
    for (const std::string& interface : entry.keys()) {
      const auto heard = neighbour_of(interface, entry.at(interface));
      if (heard) neighbours.push_back(*heard);
    }
  }
  return neighbours;
}

SiteFile sites_of(const std::map<std::string, std::vector<LldpNeighbour>>& hosts,
                  const SiteOrigin& origin) {
  NestedSites nested{.levels = level_names(1), .of_host = {}};
  for (const auto& [host, neighbours] : hosts) {
    const auto first = std::ranges::min_element(neighbours, {}, &LldpNeighbour::interface);
    if (first == neighbours.end()) {
      throw InputError({"host '" + inert(host) + "' hears no switch",
                        "LLDP names none on any of its interfaces",
                        "turn LLDP on at the switch, or write a site file"});
    }
    nested.of_host[host] = {first->device};
  }
  return sites_of(nested, origin);
}

}  // namespace hockney::placement
