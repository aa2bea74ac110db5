#include "core/site_file.hpp"

#include "core/error.hpp"
#include "core/host_list.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view site_schema = "hockney.sites/1";

std::vector<std::string> hosts_of(const JsonNode& node) {
  try {
    return expand_hosts(node.text());
  } catch (const HostListError& error) {
    node.reject("has " + error.message.problem, error.message.why, error.message.suggestion);
  }
}

void add(SiteFile& file, const JsonNode& entry) {
  entry.allow_only({"hosts", "sites"});
  const std::vector<std::string> sites = entry.at("sites").texts();
  if (sites.size() != file.levels.size()) {
    entry.at("sites").reject("has " + std::to_string(sites.size()) + " sites",
                             "the file has " + std::to_string(file.levels.size()) + " levels",
                             "give one site for each level");
  }
  for (const std::string& host : hosts_of(entry.at("hosts"))) {
    if (!file.sites.emplace(host, sites).second) {
      entry.at("hosts").reject("lists '" + host + "' again", "a host is in one place",
                               "list it once");
    }
    file.hosts.push_back(host);
  }
}

const std::vector<std::string>& sites_of(const SiteFile& file, const std::string& host) {
  const auto found = file.sites.find(host);
  if (found != file.sites.end()) return found->second;
  throw InputError({"the site file does not have host '" + host + "'",
                    "it lists " + std::to_string(file.hosts.size()) + " hosts",
                    "add it, or check how the hosts are spelt"});
}

}  // namespace

SiteFile read_sites(const JsonNode& document) {
  document.allow_only({"schema", "description", "levels", "places"});
  document.require_schema(site_schema, "name a file of sites");
  SiteFile file{.levels = document.at("levels").texts(), .hosts = {}, .sites = {}};
  for (const JsonNode& entry : document.at("places").elements()) add(file, entry);
  return file;
}

SiteFile load_sites(const std::string& file) { return read_sites(load_json(file)); }

std::string network_hop(const SiteFile& sites, const std::string& host, const std::string& other) {
  if (host == other) return "same-node";
  const auto& own = sites_of(sites, host);
  const auto& theirs = sites_of(sites, other);
  for (std::size_t level = 0; level < own.size(); ++level) {
    if (own[level] == theirs[level]) return "same-" + sites.levels[level];
  }
  return network_hops(sites).back();
}

std::vector<std::string> network_hops(const SiteFile& sites) {
  if (sites.levels.empty()) return {"cross-node"};
  auto hops = strings_of(sites.levels, [](const std::string& level) { return "same-" + level; });
  hops.push_back("other-" + sites.levels.back());
  return hops;
}

void name_network_hops(std::vector<Record>& records, const SiteFile& sites) {
  for (Record& record : records) {
    std::map<int, std::string> hosts;
    for (const RankPlace& rank : record.ranks) hosts[rank.rank] = rank.host;
    const auto name = [&](Point& point) {
      const bool crosses = point.pair.size() == 2 && point.hop == "cross-node";
      if (!crosses || !hosts.contains(point.pair[0]) || !hosts.contains(point.pair[1])) return;
      point.hop = network_hop(sites, hosts[point.pair[0]], hosts[point.pair[1]]);
    };
    for (Series& series : record.series) name(series.point);
    for (PlannedPoint& planned : record.points.own()) name(planned.point);
  }
}

}  // namespace hockney
