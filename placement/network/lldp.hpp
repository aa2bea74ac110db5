#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json_node.hpp"
#include "core/site_file.hpp"

namespace hockney::placement {

/// What a host hears on one of its interfaces from the switch at the other end.
struct LldpNeighbour {
  std::string interface;
  std::string device;  ///< its name, else its identifier
  std::string port;    ///< the switch's; empty where it does not say

  friend bool operator==(const LldpNeighbour&, const LldpNeighbour&) = default;
};

/// The neighbours that `lldpctl -f json` of lldpd 0.9 and later prints, those that are not bridges
/// left out where they say what they are. InputError naming the key for what is not such a
/// document.
std::vector<LldpNeighbour> read_lldp(const JsonNode& document);

/// The switch of every host: that of the interface whose name comes first, so that hosts cabled
/// alike are compared by the same of their networks. InputError for a host that hears no switch.
SiteFile sites_of(const std::map<std::string, std::vector<LldpNeighbour>>& hosts,
                  const SiteOrigin& origin);

}  // namespace hockney::placement
