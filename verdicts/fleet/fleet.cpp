#include "verdicts/fleet/fleet.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/robust.hpp"
#include "verdicts/fleet/fleet_fit.hpp"

namespace hockney::fleet {
namespace {

constexpr std::size_t fewest_nodes = 4;
constexpr double huber_loss =
    1.026;  // standard error of Huber's estimate over the mean's, squared 1/0.95
constexpr double suspicious = 2;  // [sigma]

using StudentsT = boost::math::students_t_distribution<double>;

void require_sound(const NightlyPair& pair) {
  if (pair.a == pair.b) {
    throw InputError(
        {"a pair of " + pair.a + " with itself", "a link has two ends", "repair the pair's hosts"});
  }
  if (!(pair.seconds > 0) || !std::isfinite(pair.seconds)) {
    throw InputError(
        {"the pair " + pair.a + " and " + pair.b + " took " + std::to_string(pair.seconds) + " s",
         "times are positive and finite", "repair or remove it"});
  }
}

/// Names to indices, in order of first appearance.
class Names {
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
  Names hosts;
  Names hops;
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

/// Standard error of a node's effect. Its partners' effects are estimated from as many pairs, which
/// costs about one of its own.
std::optional<double> error_of(const Fleet& fleet, const FleetFit& fit, std::size_t node) {
  if (fleet.degree[node] < 2) return std::nullopt;
  return huber_loss * fit.sigma / std::sqrt(static_cast<double>(fleet.degree[node] - 1));
}

/// Student's t with the degrees of freedom that simulated healthy fleets ask for (docs/health.md):
/// four times those of a node's pairs.
double quantile_of_scores(const Fleet& fleet, double tail) {
  const double pairs =
      2 * static_cast<double>(fleet.pairs.size()) / static_cast<double>(fleet.hosts.size());
  const StudentsT scores(std::max(4 * (pairs - 1), 1.0));
  return boost::math::quantile(boost::math::complement(scores, std::clamp(tail, 1e-12, 0.5)));
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
