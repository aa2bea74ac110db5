#include "core/site_file.hpp"

#include <cstdint>

#include "core/as_number.hpp"
#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

constexpr std::string_view site_schema = "hockney.sites/1";

constexpr int most_hosts = 1'000'000;  ///< of one range: more are a slip of the pen

int number_of(std::string_view text, const JsonNode& node, const std::string& pattern) {
  if (const auto number = as_number<int>(text)) return *number;
  node.reject("has the malformed host '" + pattern + "'", "a range is written \"nid[0-3]\"",
              "write the numbers of its first and last host");
}

/// "nid[0-3]" to four names; any other text to itself.
std::vector<std::string> hosts_of(const std::string& pattern, const JsonNode& node) {
  const std::size_t open = pattern.find('[');
  if (open == std::string::npos) return {pattern};
  const std::size_t dash = pattern.find('-', open);
  const std::size_t close = pattern.find(']', open);
  if (dash == std::string::npos || close == std::string::npos || dash > close) {
    number_of("", node, pattern);
  }
  const std::string_view text = pattern;
  const int first = number_of(text.substr(open + 1, dash - open - 1), node, pattern);
  const int last = number_of(text.substr(dash + 1, close - dash - 1), node, pattern);
  if (last < first) {
    node.reject("has the hosts '" + pattern + "'", "they end before they begin",
                "write the first number before the last");
  }
  if (last - first >= most_hosts) {
    node.reject("has the hosts '" + pattern + "'",
                "they are more than " + std::to_string(most_hosts), "check the numbers");
  }
  std::vector<std::string> hosts;
  for (std::int64_t number = first; number <= last; ++number) {
    hosts.push_back(pattern.substr(0, open) + std::to_string(number) + pattern.substr(close + 1));
  }
  return hosts;
}

void add(SiteFile& file, const JsonNode& entry) {
  entry.allow_only({"hosts", "sites"});
  const std::vector<std::string> sites = entry.at("sites").texts();
  if (sites.size() != file.levels.size()) {
    entry.at("sites").reject("has " + std::to_string(sites.size()) + " sites",
                             "the file has " + std::to_string(file.levels.size()) + " levels",
                             "give one site for each level");
  }
  for (const std::string& host : hosts_of(entry.at("hosts").text(), entry.at("hosts"))) {
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
  if (document.at("schema").text() != site_schema) {
    document.at("schema").reject("is '" + document.at("schema").text() + "'",
                                 "a site file has another schema",
                                 "write \"" + std::string(site_schema) + "\"");
  }
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
    for (PlannedPoint& planned : record.points) name(planned.point);
  }
}

}  // namespace hockney
