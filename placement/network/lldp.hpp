#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json_functions.hpp"
#include "core/site_file.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// The switch that a host receives LLDP messages from on one of its interfaces.
struct LldpNeighbour {
  std::string interface;
  std::string device;          ///< its name, else its identifier
  std::string port{};          ///< of the switch; empty if unknown
  std::string id{};            ///< the chassis identifier, mostly a MAC address; may be empty
  std::optional<int> speed{};  ///< of the switch's port, if known [Mbit/s]
  bool is_card = false;        ///< its description is that of a card with its own processor

  friend bool operator==(const LldpNeighbour&, const LldpNeighbour&) = default;
};

/// Neighbours by host; a host without neighbours has an empty list.
using LldpHosts = std::map<std::string, std::vector<LldpNeighbour>>;

/// The neighbours in the output of `lldpctl -f json` and `-f json0` (lldpd 0.9 and later). Skips
/// devices that report to be neither bridge nor router, and interfaces without a device. InputError
/// with the key for any other document.
std::vector<LldpNeighbour> read_lldp(const JsonNode& document);

/// The neighbours in the output of `lldpctl -f keyvalue`, "lldp.eth0.chassis.name=leaf1".
/// InputError with the line for any other form.
std::vector<LldpNeighbour> read_lldp_lines(const NetworkText& text);

/// The switches of every host. If hosts have several networks, one is used, and the notes name it
/// and the others:
/// - `interface`, if given;
/// - else the fastest ports, on hosts whose ports all report a speed.
/// A device of only one host (its own bridge) is left out if the same interface has a shared one.
/// A card of a host with its own processor (a DPU) is left out before ports are compared.
/// So is a switch that joins hosts which other switches separate (a management switch). Switches
/// with the same hosts are one site (SwitchGroups). Hosts without a switch are in the notes.
/// InputError if no host is left.
DescribedNetwork sites_of(const LldpHosts& hosts, const SiteOrigin& origin, NetworkNotes notes = {},
                          const std::string& interface = "");

}  // namespace hockney::placement
