#include "placement/network/inferred_sites.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Clusters by their smallest items, and the sums of measured distances between any two.
class Clusters {
 public:
  Clusters(std::size_t items, const std::vector<ItemDistance>& measured)
      : items_(items), between_(items * items), nearest_(items), alive_(items, true) {
    for (const ItemDistance& pair : measured) {
      add(pair.first, pair.second, {.distances = pair.distance, .pairs = 1});
    }
    for (std::size_t item = 0; item < items; ++item) find_nearest(item);
  }

  std::optional<Join> join() {
    std::size_t best = items_;
    for (std::size_t item = 0; item < items_; ++item) {
      const bool is_nearer =
          alive_[item] && nearest_[item] < items_ &&
          (best == items_ || mean(item, nearest_[item]) < mean(best, nearest_[best]));
      if (is_nearer) best = item;
    }
    if (best == items_) return std::nullopt;
    const Join join{std::min(best, nearest_[best]), std::max(best, nearest_[best]),
                    mean(best, nearest_[best])};
    merge(join.kept, join.given_up);
    return join;
  }

 private:
  struct Sum {
    double distances = 0;
    double pairs = 0;
  };

  /// In both directions.
  void add(std::size_t one, std::size_t other, const Sum& more) {
    for (const std::size_t place : {one * items_ + other, other * items_ + one}) {
      between_[place].distances += more.distances;
      between_[place].pairs += more.pairs;
    }
  }

  [[nodiscard]] double mean(std::size_t one, std::size_t other) const {
    const Sum& sum = between_[one * items_ + other];
    return sum.pairs > 0 ? sum.distances / sum.pairs : never;
  }

  void find_nearest(std::size_t item) {
    std::size_t& nearest = nearest_[item];
    nearest = items_;
    for (std::size_t other = 0; other < items_; ++other) {
      if (other == item || !alive_[other] || mean(item, other) == never) continue;
      if (nearest == items_ || mean(item, other) < mean(item, nearest)) nearest = other;
    }
  }

  void merge(std::size_t kept, std::size_t given_up) {
    alive_[given_up] = false;
    for (std::size_t other = 0; other < items_; ++other) {
      if (!alive_[other] || other == kept) continue;
      const Sum more = between_[given_up * items_ + other];
      add(kept, other, more);
      const std::size_t was = nearest_[other];
      if (was == kept || was == given_up || was == items_) find_nearest(other);
      // An average is never nearer than the nearer of both, so nearest clusters of others stay
      // valid.
    }
    find_nearest(kept);
  }

  std::size_t items_;
  std::vector<Sum> between_;
  std::vector<std::size_t> nearest_;  ///< of each cluster; `items_` without measurements
  std::vector<bool> alive_;
};

constexpr double narrowest = 0.01;       // kernel width, in logarithms
constexpr double empty = 0.05;           // share of the hill; a lower valley is a gap
constexpr double certain = 2.5;          // depth in standard deviations, if no gap
constexpr double deep = 0.7;             // largest height of a valley, as a share of the lower hill
constexpr double reach = 4;              // of a kernel, in widths
constexpr double points_in_a_width = 4;  // of the grid
constexpr std::size_t many = 30;         // values: single ones are no kind then
constexpr std::size_t fewest_of_many = 3;
constexpr std::size_t too_few = 5;  // values to distinguish a gap from chance

/// The sum of squared deviations from the mean.
double squares_of(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

/// The spread of few values on both sides of their widest gap. Including the gap would hide it.
double spread_beside_gap(std::span<const double> sorted) {
  std::size_t widest = 1;
  for (std::size_t i = 2; i < sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] > sorted[widest] - sorted[widest - 1]) widest = i;
  }
  const double squares = squares_of(sorted.first(widest)) + squares_of(sorted.subspan(widest));
  return std::sqrt(squares / static_cast<double>(sorted.size()));
}

/// The spread of many values; quartiles make it robust against long tails.
double spread_of_many(std::span<const double> sorted) {
  constexpr double quartiles_of_normal = 1.349;
  const double quartiles =
      (quantile(sorted, 0.75).value_or(0) - quantile(sorted, 0.25).value_or(0)) /
      quartiles_of_normal;
  const double deviation = std::sqrt(squares_of(sorted) / static_cast<double>(sorted.size()));
  return quartiles > 0 ? std::min(deviation, quartiles) : deviation;
}

double kernel_width(std::span<const double> sorted) {
  const double spread = sorted.size() < many ? spread_beside_gap(sorted) : spread_of_many(sorted);
  return std::max(narrowest, 0.9 * spread * std::pow(static_cast<double>(sorted.size()), -1.0 / 5));
}

/// The density on a uniform grid.
struct Density {
  double first = 0;
  double step = 1;
  std::vector<double> heights;

  [[nodiscard]] double at(std::size_t point) const {
    return first + step * static_cast<double>(point);
  }
};

Density density_of(std::span<const double> sorted) {
  const double width = kernel_width(sorted);
  Density density{
      .first = sorted.front() - width, .step = width / points_in_a_width, .heights = {}};
  const double length = sorted.back() + width - density.first;
  density.heights.assign(static_cast<std::size_t>(length / density.step) + 2, 0);
  const auto last = static_cast<std::ptrdiff_t>(density.heights.size()) - 1;
  for (const double value : sorted) {
    const double middle = (value - density.first) / density.step;
    const double far = reach * points_in_a_width;
    const auto from = std::max<std::ptrdiff_t>(0, std::lround(middle - far));
    const auto to = std::min<std::ptrdiff_t>(last, std::lround(middle + far));
    for (std::ptrdiff_t i = from; i <= to; ++i) {
      const double away = (static_cast<double>(i) - middle) / points_in_a_width;
      density.heights[static_cast<std::size_t>(i)] += std::exp(-away * away / 2);
    }
  }
  return density;
}

/// Whether a valley is significant. A height is a sum of kernels; its variance is the sum of their
/// squares, height / sqrt(2).
bool is_valley(double height, double hill) {
  if (height <= empty * hill) return true;
  const double deviation = std::sqrt((height + hill) / std::numbers::sqrt2);
  return height <= deep * hill && hill - height >= certain * deviation;
}

/// The deepest valley between these values, relative to the lower hill next to it. Returns the
/// middle of its bottom; nullopt if no valley is deep.
std::optional<double> deepest_valley(const Density& density, double from, double to) {
  const std::vector<double>& heights = density.heights;
  std::vector<double> before(heights.size());  // the highest up to each point
  std::vector<double> after(heights.size());
  double highest = 0;
  for (std::size_t i = 0; i < heights.size(); ++i)
    before[i] = highest = std::max(highest, heights[i]);
  highest = 0;
  for (std::size_t i = heights.size(); i-- > 0;) after[i] = highest = std::max(highest, heights[i]);
  double least = deep;
  std::size_t first = heights.size();  // of the adjacent points at the bottom
  std::size_t last = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double hill = std::min(before[i], after[i]);
    const double share = heights[i] / hill;
    const bool is_outside = density.at(i) <= from || density.at(i) >= to;
    if (is_outside || share > least || !is_valley(heights[i], hill)) continue;
    const bool is_deeper = first == heights.size() || share < least;
    if (is_deeper) first = i;
    if (is_deeper || last + 1 == i) last = i;
    least = share;
  }
  if (first == heights.size()) return std::nullopt;
  return (density.at(first) + density.at(last)) / 2;
}

void add_valleys(std::span<const double> sorted,
                 std::vector<double>& cuts) {  // NOLINT(misc-no-recursion)
  if (sorted.size() <= too_few) return;
  const std::size_t fewest = sorted.size() < many ? 1 : fewest_of_many;
  const auto valley =
      deepest_valley(density_of(sorted), sorted[fewest - 1], sorted[sorted.size() - fewest]);
  if (!valley) return;
  const auto middle = std::ranges::lower_bound(sorted, *valley);
  if (middle == sorted.begin() || middle == sorted.end()) return;
  add_valleys({sorted.begin(), middle}, cuts);
  cuts.push_back(std::exp((*std::prev(middle) + *middle) / 2));
  add_valleys({middle, sorted.end()}, cuts);
}

using HostPair = std::pair<std::string, std::string>;

/// Median times by pair of hosts, the smaller name first.
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

/// Number of hosts in each cluster.
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

/// Whether there are several clusters and most hosts are not alone. If only a few are together,
/// they are fast pairs, no tier.
bool is_informative(const Partition& clusters) {
  const auto sizes = sizes_in(clusters);
  const auto alone = std::ranges::count_if(sizes, [](const auto& one) { return one.second == 1; });
  return sizes.size() > 1 && 2 * static_cast<std::size_t>(alone) < clusters.size();
}

/// The nested partitions of the hosts, near to far. If a level joins few new pairs, less than half
/// of those already together, it replaces the level before.
std::vector<Partition> tiers_of(std::size_t hosts, const std::vector<Join>& joins,
                                const std::vector<double>& cuts) {
  constexpr double stragglers = 0.5;  // share of the pairs already together
  std::vector<Partition> tiers;
  for (const double cut : cuts) {
    const Partition clusters = clusters_below(hosts, joins, std::log(cut));
    if (!is_informative(clusters)) continue;
    const double before = tiers.empty() ? 0 : pairs_within(tiers.back());
    if (!tiers.empty() && pairs_within(clusters) - before < stragglers * before) tiers.pop_back();
    tiers.push_back(clusters);
  }
  return tiers;
}

NestedSites nested_in(const std::vector<std::string>& hosts, const std::vector<Partition>& tiers) {
  NestedSites nested;
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    nested.levels.push_back(fmt::format("tier-{}", tier + 1));
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      nested.of_host[hosts[host]].push_back("of-" + hosts[tiers[tier][host]]);
    }
  }
  for (const std::string& host : hosts) nested.of_host[host];  // if there are no tiers
  return nested;
}

/// The share of pairs with the most frequent kind of their class.
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
  throw InputError({fmt::format("the latencies of {} hosts give no distances", hosts),
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

std::vector<Join> average_linkage(std::size_t items, const std::vector<ItemDistance>& measured) {
  Clusters clusters(items, measured);
  std::vector<Join> joins;
  for (auto join = clusters.join(); join.has_value(); join = clusters.join()) {
    joins.push_back(join.value());
  }
  return joins;
}

std::vector<std::size_t> clusters_below(std::size_t items, const std::vector<Join>& joins,
                                        double distance) {
  std::vector<std::size_t> cluster(items);
  std::iota(cluster.begin(), cluster.end(), std::size_t{0});
  for (const Join& join : joins) {
    // If pairs are missing, a later join can be nearer than an earlier one.
    if (join.distance >= distance) break;
    std::ranges::replace(cluster, join.given_up, join.kept);
  }
  return cluster;
}

std::vector<double> density_valleys(std::vector<double> values) {
  for (double& value : values) {
    if (!std::isfinite(value) || value <= 0) {
      throw InputError({"a time that is not above 0", "its logarithm is needed",
                        "give times that were measured"});
    }
    value = std::log(value);
  }
  std::ranges::sort(values);
  std::vector<double> cuts;
  add_valleys(values, cuts);
  return cuts;
}

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
