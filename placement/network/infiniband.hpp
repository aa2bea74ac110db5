#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/network_notes.hpp"
#include "placement/network/numbered_lines.hpp"

namespace hockney::placement {

/// An adapter, switch or router of a fabric.
struct FabricNode {
  std::string description;      ///< what it calls itself: "n001 mlx5_0"
  std::string system_guid;      ///< of the machine or card, which several adapters share; 16 digits
  std::set<std::string> peers;  ///< identifiers of those at the other ends of its links
};

/// What ibnetdiscover found. Nodes have their identifiers: "H-" (adapters), "S-" (switches) or "R-"
/// (routers) and the GUID of the node in 16 hex digits.
struct Fabric {
  std::map<std::string, FabricNode> nodes;
  NetworkNotes notes;  ///< lines that were left out
};

/// The text that ibnetdiscover(8) prints, with its options -f and -g too. Lines that are none of
/// its lines are left out, and notes name them. InputError where there are no adapters.
Fabric read_ibnetdiscover(const NetworkText& text);

/// Hosts by the GUIDs of their adapters, as /sys/class/infiniband/*/node_guid and sys_image_guid
/// have them ("0c42:a103:0012:3456") or as 16 hex digits.
using HostsOfGuids = std::map<std::string, std::string>;

/// Lines of a host and the GUIDs of its adapters, in any order: "n1 0x0c42a10300123456", what `pdsh
/// cat /sys/class/infiniband/*/node_guid` prints, and node name maps of ibnetdiscover. InputError
/// with the line for one without a host or a GUID.
HostsOfGuids read_guid_lines(const NetworkText& text);

/// The switch of every host, and the links between any two of these switches by the shortest way.
/// An adapter is that of the host that `hosts` has for its GUID or its system's; else of the one
/// that it calls itself by first, "n001", unless that is what an adapter is called before a host
/// names it ("MT4129 ConnectX7 Mellanox Technologies", "localhost mlx5_0"); else of the one that
/// another adapter of its system names. Adapters without a host are counted in the notes. So are
/// those that give one name to several machines: the same text at different systems and switches.
/// A host is at all switches that its adapters reach (SwitchGroups). InputError where no adapter is
/// that of a host.
DescribedNetwork sites_of(const Fabric& fabric, const HostsOfGuids& hosts,
                          const SiteOrigin& origin);

}  // namespace hockney::placement
