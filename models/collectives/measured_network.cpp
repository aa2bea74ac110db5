#include "models/collectives/measured_network.hpp"

#include <algorithm>
#include <set>

#include "core/counted.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

constexpr std::string_view same_node = "same-node";

HopCost cost_of(const std::string& name, const Fit& fit) {
  HopCost cost{.name = name, .segments = {}};
  for (const Segment& segment : fit.segments) {
    cost.segments.push_back(
        {segment.to.value, segment.line.alpha_seconds, segment.line.beta_seconds_per_byte});
  }
  return cost;
}

/// The place of each host at each level, as numbers; the first level is the host itself.
std::vector<std::vector<int>> numbered(const SiteFile& file,
                                       const std::vector<std::string>& hosts) {
  std::vector<std::vector<int>> sites(file.levels.size() + 1);
  std::vector<std::map<std::string, int>> numbers(sites.size());
  for (const std::string& host : hosts) {
    std::vector<std::string> names{host};
    const auto found = file.sites.find(host);
    if (found != file.sites.end()) {
      names.insert(names.end(), found->second.begin(), found->second.end());
    }
    for (std::size_t level = 0; level < sites.size(); ++level) {
      const auto next = static_cast<int>(numbers[level].size());
      sites[level].push_back(numbers[level].try_emplace(names[level], next).first->second);
    }
  }
  return sites;
}

/// Times of the smallest message of each pair of hosts.
using PairTimes = std::map<std::pair<std::string, std::string>, std::vector<double>>;

std::map<Bytes, PairTimes> pair_times(std::span<const Record> records) {
  std::map<Bytes, PairTimes> times;
  for (const Record& record : records) {
    const auto hosts = hosts_of(record);
    for (const Series& series : record.series) {
      const auto& pair = series.point.pair;
      const bool counts = series.point.operation == "pingpong" && pair.size() == 2 &&
                          record.status == LaunchStatus::complete;
      const auto time = counts ? counted(series).median_seconds : std::nullopt;
      if (!time) continue;
      times[series.point.bytes][{hosts.at(static_cast<std::size_t>(pair[0])),
                                 hosts.at(static_cast<std::size_t>(pair[1]))}]
          .push_back(*time);
    }
  }
  return times;
}

}  // namespace

std::vector<std::string> hosts_of(const Record& record) {
  std::vector<std::string> hosts(record.ranks.size());
  for (const RankPlace& rank : record.ranks) {
    const auto place = static_cast<std::size_t>(rank.rank);
    if (place < hosts.size()) hosts[place] = rank.host;
  }
  return hosts;
}

MeasuredNetwork::MeasuredNetwork(SiteFile sites, std::span<const Record> records,
                                 const FitSet& fits)
    : sites_(std::move(sites)) {
  for (const Fit& fit : fits.fits) {
    const bool is_plain = fit.point.operation == "pingpong" && fit.point.hop;
    if (is_plain) classes_.try_emplace(*fit.point.hop, cost_of(*fit.point.hop, fit));
  }
  const auto times = pair_times(records);
  if (sites_.levels.empty() || times.empty()) return;
  const auto& [bytes, pairs] = *times.begin();
  std::map<std::pair<std::string, std::string>, std::vector<double>> found;
  for (const auto& [hosts, samples] : pairs) {
    const auto known = classes_.find(network_hop(sites_, hosts.first, hosts.second));
    if (known == classes_.end()) continue;
    const HopSegment& line = known->second.segment(bytes.value);
    const double usual =
        line.alpha_seconds + line.beta_seconds_per_byte * static_cast<double>(bytes.value);
    found[{sites_.sites.at(hosts.first).front(), sites_.sites.at(hosts.second).front()}].push_back(
        median_of_some(samples) - usual);
  }
  for (const auto& [pair, offsets] : found) offsets_[pair] = median_of_some(offsets);
}

std::vector<std::string> MeasuredNetwork::missing(const std::vector<std::string>& hosts) const {
  std::set<std::string> needed;
  for (const std::string& host : hosts) {
    for (const std::string& other : hosts) {
      if (host != other) needed.insert(network_hop(sites_, host, other));
    }
  }
  if (std::set<std::string>(hosts.begin(), hosts.end()).size() < hosts.size()) {
    needed.insert(std::string(same_node));
  }
  std::erase_if(needed, [&](const std::string& name) { return classes_.contains(name); });
  return {needed.begin(), needed.end()};
}

/// A class that does not occur, and was not measured either, costs what any other does.
std::vector<HopCost> MeasuredNetwork::costs() const {
  std::vector<std::string> names{std::string(same_node)};
  for (const std::string& hop : network_hops(sites_)) names.push_back(hop);
  std::vector<HopCost> costs;
  for (const std::string& name : names) {
    const auto known = classes_.find(name);
    costs.push_back(known == classes_.end() ? classes_.begin()->second : known->second);
  }
  return costs;
}

std::optional<RankNetwork> MeasuredNetwork::on(const std::vector<std::string>& hosts) const {
  if (classes_.empty() || !missing(hosts).empty()) return std::nullopt;
  RankNetwork network(numbered(sites_, hosts), costs());
  if (offsets_.empty()) return network;
  std::map<std::string, int> numbers;  // of the sites of the first level, as numbered() counts
  for (const std::string& host : hosts) {
    numbers.try_emplace(sites_.sites.at(host).front(), static_cast<int>(numbers.size()));
  }
  for (const auto& [pair, offset] : offsets_) {
    const auto from = numbers.find(pair.first);
    const auto to = numbers.find(pair.second);
    if (from == numbers.end() || to == numbers.end()) continue;
    network.set_offset(from->second, to->second, offset);
    network.set_offset(to->second, from->second, offset);
  }
  return network;
}

}  // namespace hockney
