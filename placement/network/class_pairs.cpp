#include "placement/network/class_pairs.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hockney::placement {

std::vector<ClassPairs> class_pairs(const SiteFile& sites) {
  std::map<std::vector<std::string>, std::vector<std::string>> places;  // hosts at each
  for (const std::string& host : sites.hosts) places[sites.sites.at(host)].push_back(host);
  std::map<std::string, ClassPairs> counts;
  const auto add = [&](const std::string& first, const std::string& second, std::size_t pairs) {
    if (pairs == 0) return;
    const std::string hop = network_hop(sites, first, second);
    ClassPairs& known = counts.try_emplace(hop, ClassPairs{hop, 0, first, second}).first->second;
    known.pairs += pairs;
  };
  for (auto here = places.begin(); here != places.end(); ++here) {
    const std::vector<std::string>& hosts = here->second;
    add(hosts.front(), hosts.back(), hosts.size() * (hosts.size() - 1) / 2);
    for (auto there = std::next(here); there != places.end(); ++there) {
      add(hosts.front(), there->second.front(), hosts.size() * there->second.size());
    }
  }
  std::vector<ClassPairs> ordered;
  for (const std::string& hop : network_hops(sites)) {
    const auto found = counts.find(hop);
    if (found != counts.end()) ordered.push_back(found->second);
  }
  return ordered;
}

std::vector<std::size_t> sites_of_levels(const SiteFile& sites) {
  std::vector<std::size_t> counts;
  for (std::size_t level = 0; level < sites.levels.size(); ++level) {
    std::set<std::string> names;
    for (const auto& [host, where] : sites.sites) names.insert(where[level]);
    counts.push_back(names.size());
  }
  return counts;
}

}  // namespace hockney::placement
