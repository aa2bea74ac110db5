#include "verdicts/fleet/fleet.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>

#include "core/distributions.hpp"
#include "core/error.hpp"
#include "core/point.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney::fleet {
namespace {

/// Two hosts and the hop class between them.
struct HostPair {
  std::string hop;
  std::string a;
  std::string b;
  friend auto operator<=>(const HostPair&, const HostPair&) = default;
};

/// By size, then by pair.
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

/// Name of a curve without its hop class, common to all its pairs.
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

constexpr std::size_t most_sweeps = 100;  // of each method
constexpr double settled = 1e-6;          // [log ratio] sweeps stop if no effect moves further
constexpr double huber = 1.345;           // 95 % as good as the mean on normal noise
constexpr double exact = 1e-9;  // [log ratio] largest residual that counts as fitted exactly

/// How a parameter follows from the residuals of its pairs.
using Centre = double (*)(std::span<double> residuals, double sigma);

double by_median(std::span<double> residuals, double /*sigma*/) { return quick_median(residuals); }

double by_huber(std::span<double> residuals, double sigma) {
  double weights = 0;
  double sum = 0;
  for (const double residual : residuals) {
    const double away = std::abs(residual);
    const double weight = away <= huber * sigma ? 1 : huber * sigma / away;
    weights += weight;
    sum += weight * residual;
  }
  return sum / weights;
}

class Sweeper {
 public:
  Sweeper(std::span<const FleetPair> pairs, std::size_t nodes, std::size_t classes)
      : pairs_(pairs), at_node_(nodes), in_class_(classes) {
    fit_.nodes.assign(nodes, 0);
    fit_.classes.assign(classes, 0);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      fit_.residuals.push_back(pairs[k].log_seconds);
      at_node_[pairs[k].a].push_back(k);
      at_node_[pairs[k].b].push_back(k);
      in_class_[pairs[k].hop].push_back(k);
    }
    for (std::size_t hop = 0; hop < classes; ++hop) {
      move(fit_.classes[hop], in_class_[hop], by_median);
    }
  }

  void sweep_until_settled(Centre centre) {
    for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
      fit_.sigma = sigma();
      double moved = 0;
      for (std::size_t i = 0; i < at_node_.size(); ++i) {
        moved = std::max(moved, move(fit_.nodes[i], at_node_[i], centre));
      }
      recentre();
      for (std::size_t hop = 0; hop < in_class_.size(); ++hop) {
        move(fit_.classes[hop], in_class_[hop], centre);
      }
      if (moved < settled) break;
    }
    fit_.sigma = sigma();
  }

  [[nodiscard]] const FleetFit& fit() const { return fit_; }

 private:
  /// Moves the centre of some residuals into a parameter; returns the distance moved.
  double move(double& parameter, const std::vector<std::size_t>& which, Centre centre) {
    scratch_.clear();
    for (const std::size_t k : which) scratch_.push_back(fit_.residuals[k]);
    const double step = centre(scratch_, fit_.sigma);
    for (const std::size_t k : which) fit_.residuals[k] -= step;
    parameter += step;
    return std::abs(step);
  }

  /// Sets the usual node's effect to 0; the classes absorb the difference.
  void recentre() {
    scratch_ = fit_.nodes;
    const double usual = quick_median(scratch_);
    for (double& node : fit_.nodes) node -= usual;
    for (double& hop : fit_.classes) hop += 2 * usual;
  }

  /// Spread of the residuals that are not zero. Fitting by medians sets one residual per parameter
  /// to zero. Fitting shrinks the others, so the spread is corrected by the root of the degrees of
  /// freedom.
  [[nodiscard]] double sigma() {
    scratch_ = fit_.residuals;
    std::erase_if(scratch_, [](double residual) { return std::abs(residual) <= exact; });
    if (scratch_.empty()) return exact;
    const auto pairs = static_cast<double>(pairs_.size());
    const auto fitted = static_cast<double>(at_node_.size() + in_class_.size() - 1);
    return robust_deviation(scratch_) * std::sqrt(pairs / (pairs - fitted));
  }

  std::span<const FleetPair> pairs_;
  std::vector<std::vector<std::size_t>> at_node_;
  std::vector<std::vector<std::size_t>> in_class_;
  std::vector<double> scratch_;
  FleetFit fit_;
};

/// Whether the pairs determine every node's effect (core/statistics.hpp).
bool effects_are_unique(std::span<const FleetPair> pairs, std::size_t nodes) {
  std::vector<Edge> edges;
  for (const FleetPair& pair : pairs) edges.push_back({pair.a, pair.b});
  return every_part_has_an_odd_cycle(edges, nodes);
}

constexpr std::size_t fewest_nodes = 4;
constexpr double huber_loss =
    1.026;  // standard error of Huber's estimate over the mean's, squared 1/0.95
constexpr double suspicious = 2;  // [sigma]

void require_sound(const NightlyPair& pair) {
  if (pair.a == pair.b) {
    throw InputError({fmt::format("a pair of {} with itself", pair.a), "a link has two ends",
                      "repair the pair's hosts"});
  }
  if (!(pair.seconds > 0) || !std::isfinite(pair.seconds)) {
    throw InputError({fmt::format("the pair {} and {} took {:f} s", pair.a, pair.b, pair.seconds),
                      "times are positive and finite", "repair or remove it"});
  }
}

/// Indices of names, in order of first appearance.
class NameIndices {
 public:
  std::size_t index_of(const std::string& name) {
    const auto [place, fresh] = indices_.try_emplace(name, names_.size());
    if (fresh) names_.push_back(name);
    return place->second;
  }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& operator[](std::size_t index) const { return names_[index]; }

 private:
  std::map<std::string, std::size_t> indices_;
  std::vector<std::string> names_;
};

struct Fleet {
  NameIndices hosts;
  NameIndices hops;
  std::vector<FleetPair> pairs;  ///< each once, a < b by index
  std::vector<std::size_t> degree;
};

Fleet index(std::span<const NightlyPair> pairs) {
  Fleet fleet;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> place;
  std::vector<std::vector<double>> times;
  for (const NightlyPair& pair : pairs) {
    require_sound(pair);
    const std::size_t first = fleet.hosts.index_of(pair.a);
    const std::size_t second = fleet.hosts.index_of(pair.b);
    const FleetPair found{std::min(first, second), std::max(first, second),
                          fleet.hops.index_of(pair.hop), 0};
    const auto [where, fresh] =
        place.try_emplace({found.a, found.b, found.hop}, fleet.pairs.size());
    if (fresh) {
      fleet.pairs.push_back(found);
      times.emplace_back();
    }
    times[where->second].push_back(std::log(pair.seconds));
  }
  fleet.degree.assign(fleet.hosts.size(), 0);
  for (std::size_t k = 0; k < times.size(); ++k) {
    fleet.pairs[k].log_seconds = quick_median(times[k]);
    ++fleet.degree[fleet.pairs[k].a];
    ++fleet.degree[fleet.pairs[k].b];
  }
  return fleet;
}

FleetUndecided why_undecided(const Fleet& fleet) {
  if (fleet.hosts.size() < fewest_nodes) return FleetUndecided::too_few_nodes;
  if (fleet.pairs.size() < fleet.hosts.size() + fleet.hops.size()) {
    return FleetUndecided::too_few_pairs;
  }
  if (!effects_are_unique(fleet.pairs, fleet.hosts.size())) return FleetUndecided::ambiguous;
  return FleetUndecided::none;
}

/// Standard error of a node's effect. Its partners' effects are estimated too, which costs about
/// one pair.
std::optional<double> error_of(const Fleet& fleet, const FleetFit& fit, std::size_t node) {
  if (fleet.degree[node] < 2) return std::nullopt;
  return huber_loss * fit.sigma / std::sqrt(static_cast<double>(fleet.degree[node] - 1));
}

/// Student's t with four times the degrees of freedom of a node's pairs, as simulated healthy
/// fleets need (docs/explanation/health.md).
double quantile_of_scores(const Fleet& fleet, double tail) {
  const double pairs =
      2 * static_cast<double>(fleet.pairs.size()) / static_cast<double>(fleet.hosts.size());
  return student_upper_quantile(std::max(4 * (pairs - 1), 1.0), std::clamp(tail, 1e-12, 0.5));
}

/// Robust spread of the scores, at least 1.
double spread_of(const std::vector<NodeEffect>& nodes) {
  std::vector<double> scores;
  for (const NodeEffect& node : nodes) {
    if (node.score) scores.push_back(*node.score);
  }
  if (scores.empty()) return 1;
  return std::max(1.0, robust_deviation(scores) * small_sample_factor(scores.size()));
}

NodeEffect effect_of(const Fleet& fleet, const FleetFit& fit, std::size_t node) {
  NodeEffect found;
  found.host = fleet.hosts[node];
  found.effect = std::expm1(fit.nodes[node]);
  found.pairs = fleet.degree[node];
  if (const auto error = error_of(fleet, fit, node)) {
    const double width = quantile_of_scores(fleet, (1 - default_level) / 2) * *error;
    found.interval = Interval{std::expm1(fit.nodes[node] - width),
                              std::expm1(fit.nodes[node] + width), default_level};
    found.score = fit.nodes[node] / *error;
  }
  return found;
}

void name_slow(FleetNight& night, const FleetOptions& options) {
  const double spread = spread_of(night.nodes);
  for (NodeEffect& node : night.nodes) {
    if (!node.score) continue;
    *node.score /= spread;
    node.named = *node.score > night.cut && node.effect > options.practical;
    if (!node.named) continue;
    node.severity = node.effect > options.isolate_beyond ? Severity::isolate : Severity::monitor;
  }
  std::ranges::stable_sort(night.nodes, std::ranges::greater{}, &NodeEffect::effect);
}

LinkEffect link_of(const Fleet& fleet, const FleetFit& fit, std::size_t k) {
  const FleetPair& pair = fleet.pairs[k];
  const double left = 1 - 1 / static_cast<double>(fleet.degree[pair.a]) -
                      1 / static_cast<double>(fleet.degree[pair.b]);
  return {.a = fleet.hosts[pair.a],
          .b = fleet.hosts[pair.b],
          .hop = fleet.hops[pair.hop],
          .effect = std::expm1(fit.residuals[k]),
          .score = fit.residuals[k] / (fit.sigma * std::sqrt(std::max(left, 0.25))),
          .expected_seconds = std::exp(pair.log_seconds - fit.residuals[k])};
}

void suspect_links(FleetNight& night, const FleetOptions& options) {
  std::set<std::string> named;
  for (const NodeEffect& node : night.nodes) {
    if (node.named) named.insert(node.host);
  }
  for (LinkEffect& link : night.links) {
    link.is_explained = named.contains(link.a) || named.contains(link.b);
    const bool is_slow = link.score > suspicious && link.effect > options.practical;
    if (is_slow && !link.is_explained) night.suspects.push_back(link);
  }
  std::ranges::stable_sort(night.suspects, std::ranges::greater{}, &LinkEffect::score);
  night.suspects.resize(std::min(night.suspects.size(), options.suspects));
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

FleetFit fit_fleet(std::span<const FleetPair> pairs, std::size_t nodes, std::size_t classes) {
  Sweeper sweeper(pairs, nodes, classes);
  sweeper.sweep_until_settled(by_median);
  sweeper.sweep_until_settled(by_huber);
  return sweeper.fit();
}

FleetNight judge_fleet(std::span<const NightlyPair> pairs, const FleetOptions& options) {
  const Fleet fleet = index(pairs);
  FleetNight night;
  night.undecided = why_undecided(fleet);
  if (night.undecided != FleetUndecided::none) return night;
  const FleetFit fit = fit_fleet(fleet.pairs, fleet.hosts.size(), fleet.hops.size());
  const auto nodes = static_cast<double>(fleet.hosts.size());
  night.pair_sigma = fit.sigma;
  night.cut = quantile_of_scores(fleet, options.false_nodes_per_night / nodes);
  for (std::size_t i = 0; i < fleet.hosts.size(); ++i) {
    night.nodes.push_back(effect_of(fleet, fit, i));
  }
  name_slow(night, options);
  for (std::size_t k = 0; k < fleet.pairs.size(); ++k)
    night.links.push_back(link_of(fleet, fit, k));
  suspect_links(night, options);
  return night;
}

FleetNight with_open_nodes(std::span<const DatedFleet> nights, std::int64_t today) {
  FleetNight fleet = nights.back().night;
  std::set<std::string> judged;
  std::vector<NodeEffect> open;
  for (const DatedFleet& dated : nights | std::views::reverse) {
    for (NodeEffect node : dated.night.nodes) {
      if (!node.score || !judged.insert(node.host).second || !node.named) continue;
      if (dated.day != today) node.day = dated.day;
      open.push_back(std::move(node));
    }
  }
  for (NodeEffect& node : open) {
    std::erase_if(fleet.nodes, [&](const NodeEffect& other) { return other.host == node.host; });
    fleet.nodes.push_back(std::move(node));
  }
  std::ranges::stable_sort(fleet.nodes, std::ranges::greater{}, &NodeEffect::effect);
  return fleet;
}

}  // namespace hockney::fleet
