#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "placement/network/infiniband.hpp"
#include "placement/network/network_notes.hpp"

namespace hockney::placement {

/// "0x2c903:0012" and "2c9030012" to 16 digits; nullopt for what is no GUID.
std::optional<std::string> guid_of(std::string_view text);

/// Identifiers of the switches at the other ends of an adapter's links.
std::set<std::string> switches_beside(const FabricNode& adapter);

/// The host of each adapter that is at a switch, by its identifier; sites_of(Fabric) says how.
/// `switch_names` are for the notes.
std::map<std::string, std::string> hosts_of_adapters(
    const Fabric& fabric, const HostsOfGuids& hosts,
    const std::map<std::string, std::string>& switch_names, NetworkNotes& notes);

}  // namespace hockney::placement
