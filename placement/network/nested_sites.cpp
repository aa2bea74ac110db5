#include "placement/network/nested_sites.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/text.hpp"

namespace hockney::placement {
namespace {

/// Documents hold UTF-8 alone, and what calls itself something on a network may hold anything.
NestedSites with_inert_names(const NestedSites& raw) {
  const auto as_inert = [](const std::string& name) { return inert(name); };
  NestedSites nested{.levels = strings_of(raw.levels, as_inert), .of_host = {}};
  for (const auto& [host, where] : raw.of_host) {
    nested.of_host[inert(host)] = strings_of(where, as_inert);
  }
  return nested;
}

/// Whether a level says more than the one below it. One switch that all share says that they share
/// it; a root above others, or a site above each single one, says nothing.
bool parts_hosts(const NestedSites& nested, std::size_t level) {
  std::set<std::string> sites;
  std::set<std::string> below;
  std::set<std::pair<std::string, std::string>> both;
  for (const auto& [host, where] : nested.of_host) {
    sites.insert(where[level]);
    if (level == 0) continue;
    below.insert(where[level - 1]);
    both.emplace(where[level - 1], where[level]);
  }
  if (level == 0) return nested.of_host.size() > 1;
  const bool is_same = both.size() == sites.size() && both.size() == below.size();
  return sites.size() > 1 && !is_same;
}

}  // namespace

std::vector<std::string> level_names(std::size_t levels, std::string_view nearest) {
  std::vector<std::string> names;
  for (std::size_t level = 0; level < levels; ++level) {
    if (level == 0) {
      names.emplace_back(nearest);
    } else if (level == 1) {
      names.emplace_back("group");
    } else {
      names.push_back("level-" + std::to_string(level + 1));
    }
  }
  return names;
}

SiteFile sites_of(const NestedSites& raw, const SiteOrigin& origin) {
  const NestedSites nested = with_inert_names(raw);
  SiteFile file{.levels = {}, .hosts = {}, .sites = {}, .hops = {}, .origin = origin};
  for (const auto& [host, where] : nested.of_host) {
    file.hosts.push_back(host);
    file.sites[host];
  }
  for (std::size_t level = 0; level < nested.levels.size(); ++level) {
    if (!parts_hosts(nested, level)) continue;
    file.levels.push_back(nested.levels[level]);
    for (const auto& [host, where] : nested.of_host) file.sites[host].push_back(where[level]);
  }
  return file;
}

bool is_host_name(std::string_view name) {
  constexpr std::string_view special = "[], \t\r\n\"";
  return !name.empty() && name.find_first_of(special) == std::string_view::npos;
}

}  // namespace hockney::placement
