#include "placement/network/inferred_sites.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/launch_medians.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "placement/network/average_linkage.hpp"
#include "placement/network/density_valleys.hpp"
#include "placement/network/nested_sites.hpp"

namespace hockney::placement {
namespace {

using HostPair = std::pair<std::string, std::string>;

/// Times by pairs of hosts, the lesser name first.
std::map<HostPair, double> medians_of(const std::vector<HostLatency>& latencies) {
  std::map<HostPair, std::vector<double>> times;
  for (const HostLatency& latency : latencies) {
    if (latency.first == latency.second) continue;
    times[std::minmax(latency.first, latency.second)].push_back(latency.seconds);
  }
  std::map<HostPair, double> medians;
  for (const auto& [pair, all] : times) medians[pair] = median_of_some(all);
  return medians;
}

std::vector<std::string> hosts_in(const std::map<HostPair, double>& times) {
  std::set<std::string> hosts;
  for (const auto& [pair, seconds] : times) hosts.insert({pair.first, pair.second});
  return {hosts.begin(), hosts.end()};
}

using Partition = std::vector<std::size_t>;  // the cluster of each host

/// Hosts in each cluster.
std::map<std::size_t, std::size_t> sizes_in(const Partition& clusters) {
  std::map<std::size_t, std::size_t> sizes;
  for (const std::size_t cluster : clusters) ++sizes[cluster];
  return sizes;
}

double pairs_within(const Partition& clusters) {
  double pairs = 0;
  for (const auto& [cluster, hosts] : sizes_in(clusters)) {
    pairs += static_cast<double>(hosts) * static_cast<double>(hosts - 1) / 2;
  }
  return pairs;
}

/// Whether some hosts are apart, and most are not alone: a few that are together are fast pairs.
bool tells(const Partition& clusters) {
  const auto sizes = sizes_in(clusters);
  const auto alone = std::ranges::count_if(sizes, [](const auto& one) { return one.second == 1; });
  return sizes.size() > 1 && 2 * static_cast<std::size_t>(alone) < clusters.size();
}

/// The nested partitions of the hosts, near to far. Sites of a next level at least double the pairs
/// that are together; where fewer join, they are stragglers of the level before.
std::vector<Partition> tiers_of(std::size_t hosts, const std::vector<Join>& joins,
                                const std::vector<double>& cuts) {
  constexpr double stragglers = 0.5;  // of the pairs that are together already
  std::vector<Partition> tiers;
  for (const double cut : cuts) {
    const Partition clusters = clusters_below(hosts, joins, std::log(cut));
    if (!tells(clusters)) continue;
    const double before = tiers.empty() ? 0 : pairs_within(tiers.back());
    if (!tiers.empty() && pairs_within(clusters) - before < stragglers * before) tiers.pop_back();
    tiers.push_back(clusters);
  }
  return tiers;
}

NestedSites nested_in(const std::vector<std::string>& hosts, const std::vector<Partition>& tiers) {
  NestedSites nested;
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    nested.levels.push_back("tier-" + std::to_string(tier + 1));
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      nested.of_host[hosts[host]].push_back("of-" + hosts[tiers[tier][host]]);
    }
  }
  for (const std::string& host : hosts) nested.of_host[host];  // where there are no tiers
  return nested;
}

/// The share of pairs whose kind is the most frequent one of their class.
double agreement_of(const std::map<HostPair, double>& times, const std::vector<double>& cuts,
                    const SiteFile& sites) {
  std::map<std::string, std::map<std::ptrdiff_t, std::size_t>> kinds;
  for (const auto& [pair, seconds] : times) {
    const auto kind = std::ranges::lower_bound(cuts, seconds) - cuts.begin();
    ++kinds[network_hop(sites, pair.first, pair.second)][kind];
  }
  std::size_t alike = 0;
  for (const auto& [hop, counts] : kinds) {
    std::size_t most = 0;
    for (const auto& [kind, pairs] : counts) most = std::max(most, pairs);
    alike += most;
  }
  return static_cast<double>(alike) / static_cast<double>(times.size());
}

void require_joined(std::size_t hosts, const std::vector<Join>& joins) {
  if (hosts >= 3 && joins.size() == hosts - 1) return;
  throw InputError({"the latencies of " + std::to_string(hosts) + " hosts tell no distances",
                    hosts < 3 ? "it takes three hosts at least"
                              : "no pair was measured between some of them and the others",
                    "measure more pairs: hockney-pingpong --pairs all, or sparse"});
}

/// The host of each rank.
std::map<int, std::string> hosts_of_ranks(const Record& record) {
  std::map<int, std::string> hosts;
  for (const RankPlace& rank : record.ranks) hosts[rank.rank] = rank.host;
  return hosts;
}

/// Calls `visit(series, host, host)` for every ping-pong between two hosts.
template <class Visit>
void for_each_pingpong(std::span<const Record> records, Visit visit) {
  for (const Record& record : records) {
    const auto hosts = hosts_of_ranks(record);
    for (const Series& series : record.series) {
      const Point& point = series.point;
      if (point.operation != "pingpong" || point.pair.size() != 2) continue;
      const auto first = hosts.find(point.pair[0]);
      const auto second = hosts.find(point.pair[1]);
      const bool is_known = first != hosts.end() && second != hosts.end();
      if (is_known && first->second != second->second) {
        visit(record, series, first->second, second->second);
      }
    }
  }
}

}  // namespace

InferredSites infer_sites(const std::vector<HostLatency>& latencies, const std::string& detail) {
  const std::map<HostPair, double> times = medians_of(latencies);
  const std::vector<std::string> hosts = hosts_in(times);
  std::vector<double> values;
  std::vector<ItemDistance> distances;
  const auto number = [&](const std::string& host) {
    return static_cast<std::size_t>(std::ranges::lower_bound(hosts, host) - hosts.begin());
  };
  for (const auto& [pair, seconds] : times) {
    values.push_back(seconds);
    distances.push_back({number(pair.first), number(pair.second), std::log(seconds)});
  }
  const std::vector<double> cuts = density_valleys(values);
  const std::vector<Join> joins = average_linkage(hosts.size(), distances);
  require_joined(hosts.size(), joins);
  const NestedSites nested = nested_in(hosts, tiers_of(hosts.size(), joins, cuts));
  InferredSites inferred{
      .sites = sites_of(nested, {.source = "latencies", .detail = detail, .inferred = true}),
      .kinds = cuts.size() + 1,
      .measured = times.size()};
  inferred.agreement = agreement_of(times, cuts, inferred.sites);
  return inferred;
}

std::vector<HostLatency> host_latencies(std::span<const Record> records) {
  std::optional<Bytes> least;
  for_each_pingpong(records, [&](const Record&, const Series& series, const auto&, const auto&) {
    least = std::min(least.value_or(series.point.bytes), series.point.bytes);
  });
  std::vector<HostLatency> latencies;
  for_each_pingpong(records, [&](const Record& record, const Series& series, const auto& first,
                                 const auto& second) {
    if (series.point.bytes != *least) return;
    if (const auto seconds = launch_median(record, series))
      latencies.push_back({first, second, *seconds});
  });
  return latencies;
}

}  // namespace hockney::placement
