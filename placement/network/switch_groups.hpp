#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "placement/network/network_notes.hpp"

namespace hockney::placement {

/// The switches that each host is connected to, of one level of a network.
using SwitchesOfHosts = std::map<std::string, std::set<std::string>>;

/// Switches that serve the same hosts, such as those of the rails of a cluster or the two of a
/// redundant pair, are one site.
struct SwitchGroups {
  std::map<std::string, std::string> site_of_host;
  std::map<std::string, std::vector<std::string>> switches;  ///< of each site
};

/// Two switches are one site where at least half of all hosts have several switches, and most of
/// those that have one of the two have the other too: one rail that is down moves no host. A host
/// whose switches are at several sites, such as a login node with a cable to each half of a
/// cluster, counts at the site with the most hosts, and `notes` name it; `level` is what a site is
/// called there. Hosts without a switch are
/// at no site.
SwitchGroups group_switches(const SwitchesOfHosts& hosts, NetworkNotes& notes,
                            const std::string& level = "switch");

}  // namespace hockney::placement
