#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "components/health/detection/peers.hpp"

namespace hockney {

/// How the nights of one node differ from each other.
enum class NodeNoise {
  normal,
  spiky,      ///< the same, and 5 % of the nights 10 to 50 % longer
  student,    ///< Student's distribution of 3 degrees of freedom
  correlated  ///< AR(1) with autocorrelation 0.5
};

/// Nodes that measure themselves, whose truth is known.
struct NodesTruth {
  std::size_t nodes = 24;
  std::size_t figures = 12;
  std::size_t tests = 0;  ///< figures of nodes that are judged; 0: all of `figures`
  std::size_t nights = 160;
  NodeNoise noise = NodeNoise::normal;
  double spread = 0.01;        ///< of a node's nights [log ratio]
  double node_spread = 0.01;   ///< of the usual levels of nodes
  double night_spread = 0.02;  ///< of what all nodes of a night have in common
  double slow = 0;             ///< of node 0 in figure 0, from `slow_from` on [ratio - 1]
  std::size_t slow_from = 0;
  std::uint64_t seed = 1;
};

/// Logarithms of one figure, nodes by nights.
inline health::NightTable synthetic_nodes(const NodesTruth& truth, std::size_t figure) {
  constexpr double rho = 0.5;
  std::mt19937_64 random(truth.seed * 1000 + figure);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::student_t_distribution<double> student(3);
  std::vector<double> common(truth.nights);
  for (double& night : common) night = truth.night_spread * normal(random);
  health::NightTable table{.nights = truth.nights, .values = {}};
  for (std::size_t node = 0; node < truth.nodes; ++node) {
    const double usual = truth.node_spread * normal(random);
    double state = normal(random);
    for (std::size_t night = 0; night < truth.nights; ++night) {
      double noise = normal(random);
      if (truth.noise == NodeNoise::student) noise = student(random);
      if (truth.noise == NodeNoise::correlated) {
        noise = state = rho * state + std::sqrt(1 - rho * rho) * noise;
      }
      double value = common[night] + usual + truth.spread * noise;
      const bool has_spike = truth.noise == NodeNoise::spiky && uniform(random) < 0.05;
      if (has_spike) value += std::log(1.1 + 0.4 * uniform(random));
      const bool is_slow = node == 0 && figure == 0 && night >= truth.slow_from;
      if (is_slow) value += std::log1p(truth.slow);
      table.values.push_back(static_cast<float>(value));
    }
  }
  return table;
}

/// The last `most` nights up to and with `last`.
inline health::NightTable window_of(const health::NightTable& table, std::size_t last,
                                    std::size_t most) {
  const std::size_t first = last + 1 > most ? last + 1 - most : 0;
  health::NightTable window{.nights = last + 1 - first, .values = {}};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto nights = table.row(row).subspan(first, window.nights);
    window.values.insert(window.values.end(), nights.begin(), nights.end());
  }
  return window;
}

/// How judged nights came out.
struct NodesStudy {
  std::size_t nights = 0;
  std::size_t false_nodes = 0;  ///< healthy nodes that are named, night by night
  std::size_t false_modes = 0;
  std::size_t outliers = 0;     ///< healthy nodes that are far off on one night
  std::size_t found_after = 0;  ///< nights until node 0 is named, with the first slow one; 0: never
};

/// Judges the nights from `from` on as `hockney health check` does, which reads 60 nights.
inline NodesStudy study_nodes(const NodesTruth& truth, std::size_t from) {
  constexpr std::size_t nights_read = 60;
  NodesStudy study;
  std::vector<std::set<std::size_t>> named(truth.nights);
  for (std::size_t figure = 0; figure < truth.figures; ++figure) {
    const health::NightTable table = synthetic_nodes(truth, figure);
    for (std::size_t night = from; night < truth.nights; ++night) {
      const health::PeerVerdict verdict = health::judge_peers(
          {.logs = window_of(table, night, nights_read), .groups = {}},
          {.tests = truth.tests > 0 ? truth.tests : truth.nodes * truth.figures});
      for (const health::PeerShift& slow : verdict.slow) named[night].insert(slow.node);
      study.outliers += verdict.outliers.size();
      study.false_modes += verdict.modes.size() - 1;
    }
  }
  for (std::size_t night = from; night < truth.nights; ++night) {
    ++study.nights;
    const bool is_slow = truth.slow > 0 && night >= truth.slow_from;
    const bool is_found = named[night].contains(0) && is_slow;
    study.false_nodes += named[night].size() - (is_found ? 1 : 0);
    if (is_found && study.found_after == 0) study.found_after = night + 1 - truth.slow_from;
  }
  return study;
}

}  // namespace hockney
