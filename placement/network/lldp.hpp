#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json_node.hpp"
#include "core/site_file.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// What a host hears on one of its interfaces from the switch at the other end.
struct LldpNeighbour {
  std::string interface;
  std::string device;          ///< its name, else its identifier
  std::string port{};          ///< the switch's; empty where it does not say
  std::string id{};            ///< the chassis identifier, mostly a MAC address; may be empty
  std::optional<int> speed{};  ///< of the switch's port, where it says so [Mbit/s]

  friend bool operator==(const LldpNeighbour&, const LldpNeighbour&) = default;
};

/// By host; one that hears nobody has an empty list.
using LldpHosts = std::map<std::string, std::vector<LldpNeighbour>>;

/// The neighbours that `lldpctl -f json` and `-f json0` of lldpd 0.9 and later print. Devices that
/// are neither bridges nor routers are left out where they say what they are; so is an interface
/// that names no device. InputError naming the key for what is not such a document.
std::vector<LldpNeighbour> read_lldp(const JsonNode& document);

/// The same of `lldpctl -f keyvalue`, "lldp.eth0.chassis.name=leaf1". InputError with the line for
/// one of another form.
std::vector<LldpNeighbour> read_lldp_lines(const NetworkText& text);

/// The switches of every host. Hosts may hear several networks; one is used, and the notes name it
/// and the others:
/// - `interface`, if given;
/// - else the fastest ports, of hosts whose ports all report a speed.
/// Left out are a device heard by one host alone (its own bridge) beside a shared one on the same
/// interface, and a switch that joins hosts which other switches separate (a management switch).
/// Switches with the same hosts are one site (SwitchGroups). Hosts without a switch are in the
/// notes. InputError if no host is left.
DescribedNetwork sites_of(const LldpHosts& hosts, const SiteOrigin& origin, NetworkNotes notes = {},
                          const std::string& interface = "");

}  // namespace hockney::placement
