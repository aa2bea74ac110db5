#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/numbered_lines.hpp"

namespace hockney::placement {

/// An adapter, switch or router of a fabric.
struct FabricNode {
  std::string description;      ///< what it calls itself: "n001 mlx5_0"
  std::string system_guid;      ///< of the machine, which several adapters share; 16 hex digits
  std::set<std::string> peers;  ///< identifiers of those at the other ends of its links
};

/// What ibnetdiscover found. Nodes have their identifiers: "H-" (adapters), "S-" (switches) or "R-"
/// (routers) and the GUID of the node in 16 hex digits.
using Fabric = std::map<std::string, FabricNode>;

/// The text that ibnetdiscover(8) prints. InputError with the line for what is none of its lines, a
/// port before the first node, and where there are no adapters.
Fabric read_ibnetdiscover(const NetworkText& text);

/// Hosts by the GUIDs of their adapters, as /sys/class/infiniband/*/node_guid and sys_image_guid
/// have them ("0c42:a103:0012:3456") or as 16 hex digits.
using HostsOfGuids = std::map<std::string, std::string>;

/// The switch of every host, and the links between any two of these switches by the shortest way.
/// Hosts are those of the GUIDs; where none are given, what adapters call themselves first, "n001".
/// A host with several adapters is at the switch of the one that calls itself by the first name in
/// the alphabet. InputError where no adapter is that of a host.
SiteFile sites_of(const Fabric& fabric, const HostsOfGuids& hosts, const SiteOrigin& origin);

}  // namespace hockney::placement
