#include "verdicts/fleet/host_pairs.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/launch_medians.hpp"
#include "core/series_name.hpp"
#include "core/statistics.hpp"

namespace hockney::fleet {
namespace {

/// Two hosts and what is between them.
struct HostPair {
  std::string hop;
  std::string a;
  std::string b;
  friend auto operator<=>(const HostPair&, const HostPair&) = default;
};

/// Of each size, of each pair.
using Times = std::map<Bytes, std::map<HostPair, PointLaunches>>;

std::optional<HostPair> pair_of(const Point& point, const HostsOfRanks& hosts) {
  if (point.pair.size() != 2 || !point.hop) return std::nullopt;
  const auto first = hosts.find(point.pair[0]);
  const auto second = hosts.find(point.pair[1]);
  if (first == hosts.end() || second == hosts.end()) return std::nullopt;
  if (first->second == second->second) return std::nullopt;
  return HostPair{.hop = *point.hop,
                  .a = std::min(first->second, second->second),
                  .b = std::max(first->second, second->second)};
}

/// What all pairs of one curve have in common, whatever their hop class.
std::string curve_of(const Point& point, const std::string& setting) {
  SeriesName name{.operation = point.operation, .keys = series_keys(point), .figure = "seconds"};
  name.keys.erase("hop");
  if (!setting.empty()) name.keys["setting"] = setting;
  return name.text();
}

std::string sized(const std::string& curve, Bytes size) {
  SeriesName name = parse_series_name(curve);
  name.keys["bytes"] = std::to_string(size.value);
  return name.text();
}

void add_size(std::vector<NightPair>& pairs, const std::string& curve, Bytes size,
              const Times::mapped_type& times) {
  for (const auto& [pair, launches] : times) {
    const std::vector<double> seconds = launches.seconds();
    pairs.push_back({.point = sized(curve, size),
                     .pair = {.a = pair.a,
                              .b = pair.b,
                              .hop = pair.hop,
                              .seconds = median_of_some(seconds),
                              .launches = seconds.size()}});
  }
}

}  // namespace

HostsOfRanks hosts_by_rank(const Record& record) {
  HostsOfRanks hosts;
  for (const RankPlace& place : record.ranks) hosts[place.rank] = place.host;
  return hosts;
}

std::vector<NightPair> host_pairs(std::span<const Record> launches, const std::string& setting) {
  std::vector<HostsOfRanks> hosts;
  for (const Record& record : launches) hosts.push_back(hosts_by_rank(record));
  std::map<std::string, Times> curves;
  for (const TimedSeries& timed : timed_series(launches).series) {
    const Point& point = timed.series->point;
    const auto pair = pair_of(point, hosts[timed.launch]);
    if (pair) curves[curve_of(point, setting)][point.bytes][*pair].add(timed.launch, timed.seconds);
  }
  std::vector<NightPair> pairs;
  for (const auto& [curve, sizes] : curves) {
    add_size(pairs, curve, sizes.begin()->first, sizes.begin()->second);
    if (sizes.size() == 1) continue;
    add_size(pairs, curve, sizes.rbegin()->first, sizes.rbegin()->second);
  }
  return pairs;
}

}  // namespace hockney::fleet
