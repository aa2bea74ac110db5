#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// An adapter, switch or router of a fabric.
struct FabricNode {
  std::string description;      ///< node description: "n001 mlx5_0"
  std::string system_guid;      ///< of the machine or card, shared by its adapters; 16 digits
  std::set<std::string> peers;  ///< identifiers of the nodes at the other ends of its links
  int ports = 0;                ///< 0: not printed
};

/// The fabric that ibnetdiscover found. Keys of `nodes` are identifiers: "H-" (adapters), "S-"
/// (switches) or "R-" (routers) and the GUID of the node in 16 hex digits.
struct Fabric {
  std::map<std::string, FabricNode> nodes;
  NetworkNotes notes;  ///< lines that were left out
};

/// Reads the output of ibnetdiscover(8), also with -f and -g. Unknown lines are left out, and notes
/// name them. InputError without adapters.
Fabric read_ibnetdiscover(const NetworkText& text);

/// Hosts by the GUIDs of their adapters, in the format of /sys/class/infiniband/*/node_guid and
/// sys_image_guid ("0c42:a103:0012:3456") or as 16 hex digits.
using HostsOfGuids = std::map<std::string, std::string>;

/// Reads lines with a host and the GUIDs of its adapters, in any order: "n1 0x0c42a10300123456".
/// Accepts the output of `pdsh cat /sys/class/infiniband/*/node_guid` and node name maps of
/// ibnetdiscover. InputError with the line if it lacks a host or a GUID.
HostsOfGuids read_guid_lines(const NetworkText& text);

/// The switches of every host, and the number of links on the shortest path between them. The host
/// of an adapter is, in this order:
/// - the entry of `hosts` for the GUID of the adapter or of its system;
/// - the first word of its node description, unless that is a default ("MT4129 ConnectX7 Mellanox
///   Technologies", "localhost mlx5_0");
/// - the host of another adapter of the same system.
/// The notes count adapters without a host, and names used by several systems at different
/// switches. A host belongs to every switch of its adapters (SwitchGroups), with these exceptions:
/// - the switch inside a host's card (a DPU) stands for the switches behind it, and an adapter
///   named after such a card ("n1-bf") belongs to the host;
/// - a switch that joins hosts which other switches separate (a storage switch) counts only for
///   hosts without another one;
/// - `device` chooses a rail: only adapters whose description ends with it count.
/// InputError if no adapter has a host.
DescribedNetwork sites_of(const Fabric& fabric, const HostsOfGuids& hosts, const SiteOrigin& origin,
                          const std::string& device = "");

}  // namespace hockney::placement
