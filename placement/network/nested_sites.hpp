#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/site_file.hpp"

namespace hockney::placement {

/// The coordinates of hosts as a source tells them: for each host its sites, near to far, as many
/// for each as `levels`.
struct NestedSites {
  std::vector<std::string> levels;
  std::map<std::string, std::vector<std::string>> of_host;
};

/// "switch", "group", "level-3", "level-4" and so on, for sources that number their levels.
std::vector<std::string> level_names(std::size_t levels, std::string_view nearest = "switch");

/// Without the levels that tell nothing apart: all hosts are at one site there, or at as many sites
/// as on the level below.
SiteFile sites_of(const NestedSites& raw, const SiteOrigin& origin);

/// Whether a site file can hold the name of this host.
bool is_host_name(std::string_view name);

}  // namespace hockney::placement
