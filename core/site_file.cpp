#include "core/site_file.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/host_list.hpp"
#include "core/json_limits.hpp"
#include "core/record_fields.hpp"
#include "core/text.hpp"

namespace hockney {

namespace {

constexpr std::string_view site_schema = "hockney.sites/1";

constexpr double most_links = 1000;  ///< between two switches

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

std::set<std::string> last_sites(const SiteFile& file) {
  std::set<std::string> last;
  for (const auto& [host, sites] : file.sites) {
    if (!sites.empty()) last.insert(sites.back());
  }
  return last;
}

void add_hops(SiteFile& file, const JsonNode& node) {
  const std::set<std::string> known = last_sites(file);
  const auto require_site = [&](const JsonNode& where, const std::string& site) {
    if (known.contains(site)) return;
    where.reject("names '" + site + "'", "no host is there", "name sites of the last level");
  };
  for (const std::string& from : node.keys()) {
    require_site(node, from);
    const JsonNode others = node.at(from);
    for (const std::string& to : others.keys()) {
      require_site(others, to);
      if (to <= from) {
        others.reject("names '" + to + "'", "a pair of sites is written once",
                      "put it below the one that comes first in the alphabet");
      }
      at_most("", most_links).check(others.at(to));
      file.hops[from][to] = positive_integer(others.at(to));
    }
  }
}

/// Links between two sites of the last level; nullopt where they are not counted.
std::optional<int> links_between(const SiteFile& file, const std::string& one,
                                 const std::string& other) {
  const auto from = file.hops.find(std::min(one, other));
  if (from == file.hops.end()) return std::nullopt;
  const auto to = from->second.find(std::max(one, other));
  return to == from->second.end() ? std::nullopt : std::optional(to->second);
}

std::string hop_word(int links) { return std::to_string(links) + (links == 1 ? "-hop" : "-hops"); }

/// Where a host is; nullptr for an unknown one.
const std::vector<std::string>* find_sites(const SiteFile& file, const std::string& host) {
  // Hosts often call themselves by their full names, and files by the short ones.
  for (const std::string& name : {host, host.substr(0, host.find('.'))}) {
    const auto found = file.sites.find(name);
    if (found != file.sites.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

SiteFile read_sites(const JsonNode& document) {
  document.allow_only({"schema", "description", "levels", "places", "hops", "origin"});
  document.require_schema(site_schema, "name a file of sites");
  SiteFile file{.levels = document.at("levels").texts(), .hosts = {}, .sites = {}};
  for (const JsonNode& entry : document.at("places").elements()) add(file, entry);
  if (const auto hops = document.find("hops")) add_hops(file, *hops);
  if (const auto origin = document.find("origin")) file.origin = read_value<SiteOrigin>(*origin);
  return file;
}

SiteFile load_sites(const std::string& file) { return read_sites(load_json(file)); }

nlohmann::json to_json(const SiteFile& sites) {
  nlohmann::json document{
      {"schema", site_schema}, {"levels", sites.levels}, {"places", nlohmann::json::array()}};
  nlohmann::json& places = document["places"];
  for (const std::string& host : sites.hosts) {
    const auto& where = sites.sites.at(host);
    if (places.empty() || places.back()["sites"] != where) {
      places.push_back({{"hosts", host}, {"sites", where}});
    } else {
      places.back()["hosts"].get_ref<std::string&>().append(",").append(host);
    }
  }
  if (!sites.hops.empty()) document["hops"] = sites.hops;
  if (sites.origin) document["origin"] = *sites.origin;
  return document;
}

const std::vector<std::string>& sites_of(const SiteFile& file, const std::string& host) {
  if (const auto* found = find_sites(file, host)) return *found;
  throw InputError({"the site file does not have host '" + host + "'",
                    "it lists " + std::to_string(file.hosts.size()) + " hosts",
                    "add it, or check how the hosts are spelt"});
}

bool has_host(const SiteFile& sites, const std::string& host) {
  return find_sites(sites, host) != nullptr;
}

std::string network_hop(const SiteFile& sites, const std::string& host, const std::string& other) {
  if (host == other) return "same-node";
  const auto& own = sites_of(sites, host);
  const auto& theirs = sites_of(sites, other);
  for (std::size_t level = 0; level < own.size(); ++level) {
    if (own[level] == theirs[level]) return "same-" + sites.levels[level];
  }
  if (sites.levels.empty()) return "cross-node";
  const auto links = links_between(sites, own.back(), theirs.back());
  return links ? hop_word(*links) : "other-" + sites.levels.back();
}

std::vector<std::string> network_hops(const SiteFile& sites) {
  if (sites.levels.empty()) return {"cross-node"};
  auto hops = strings_of(sites.levels, [](const std::string& level) { return "same-" + level; });
  std::set<int> counted;
  std::size_t pairs = 0;
  for (const auto& [from, others] : sites.hops) {
    for (const auto& [to, links] : others) counted.insert(links);
    pairs += others.size();
  }
  for (const int links : counted) hops.push_back(hop_word(links));
  const std::size_t ends = last_sites(sites).size();
  if (counted.empty() || pairs < ends * (ends - 1) / 2) {
    hops.push_back("other-" + sites.levels.back());
  }
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
