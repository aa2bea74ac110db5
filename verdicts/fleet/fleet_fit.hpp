#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hockney::fleet {

/// A pair for the fit: indices of its nodes and its hop class.
struct FleetPair {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t hop = 0;
  double log_seconds = 0;
};

struct FleetFit {
  std::vector<double> nodes;      ///< a_i, median 0
  std::vector<double> classes;    ///< of each hop class
  std::vector<double> residuals;  ///< of each pair
  double sigma = 0;  ///< robust standard deviation of a pair, corrected for what was fitted
};

/// log time = class + a_i + a_j + r: median polish (Tukey 1977), then Huber's M-estimate (1964,
/// constant 1.345) by weighted means in turn. Every node and class below the counts must be in a
/// pair, and pairs must outnumber nodes + classes - 1.
FleetFit fit_fleet(std::span<const FleetPair> pairs, std::size_t nodes, std::size_t classes);

/// Whether every node's effect can be told from its partners' (core/pair_graph.hpp).
bool effects_are_unique(std::span<const FleetPair> pairs, std::size_t nodes);

}  // namespace hockney::fleet
