#include "verdicts/fleet/fleet_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pair_graph.hpp"
#include "core/robust.hpp"

namespace hockney::fleet {
namespace {

constexpr std::size_t most_sweeps = 100;  // of each method
constexpr double settled = 1e-6;          // [log ratio] no effect moves further
constexpr double huber = 1.345;           // 95 % as good as the mean on normal noise
constexpr double exact = 1e-9;            // [log ratio] a residual that the fit made zero

/// How the parameters of a part are drawn from the residuals of its pairs.
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
  /// Takes the centre of some residuals into a parameter; how far that moved it.
  double move(double& parameter, const std::vector<std::size_t>& which, Centre centre) {
    scratch_.clear();
    for (const std::size_t k : which) scratch_.push_back(fit_.residuals[k]);
    const double step = centre(scratch_, fit_.sigma);
    for (const std::size_t k : which) fit_.residuals[k] -= step;
    parameter += step;
    return std::abs(step);
  }

  /// The usual node has effect 0; the classes take what that moves.
  void recentre() {
    scratch_ = fit_.nodes;
    const double usual = quick_median(scratch_);
    for (double& node : fit_.nodes) node -= usual;
    for (double& hop : fit_.classes) hop += 2 * usual;
  }

  /// From the residuals that are not zero: fitting by medians makes one for each parameter, which
  /// say nothing. What is fitted makes the others smaller, by the root of the degrees of freedom.
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

}  // namespace

FleetFit fit_fleet(std::span<const FleetPair> pairs, std::size_t nodes, std::size_t classes) {
  Sweeper sweeper(pairs, nodes, classes);
  sweeper.sweep_until_settled(by_median);
  sweeper.sweep_until_settled(by_huber);
  return sweeper.fit();
}

bool effects_are_unique(std::span<const FleetPair> pairs, std::size_t nodes) {
  std::vector<Edge> edges;
  for (const FleetPair& pair : pairs) edges.push_back({pair.a, pair.b});
  return every_part_has_an_odd_cycle(edges, nodes);
}

}  // namespace hockney::fleet
