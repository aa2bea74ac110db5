#pragma once

#include <optional>
#include <vector>

#include "application/analysis/rank_graph.hpp"

namespace hockney::applications {

/// A Cartesian grid that the edges of a graph follow, of one to three dimensions.
struct GridFit {
  std::vector<int> sizes;
  std::vector<bool> periodic;
  bool diagonals = false;
  double explained = 0;  ///< share of the graph's weight that goes between neighbours in the grid
  std::vector<std::vector<int>> places;  ///< of each vertex, a number for each dimension
};

inline constexpr double least_explained = 0.9;  ///< of a graph by a pattern that it is said to have
inline constexpr double least_coverage = 0.95;  ///< edges of the pattern that are there

/// The grid that explains the most with its vertices numbered row by row; nullopt where none
/// explains `least_explained`, or has `least_coverage` of its edges in every dimension.
std::optional<GridFit> grid_in_order(const RankGraph& graph);

/// The grid that the heavy edges form exactly, however its vertices are numbered: not periodic, or
/// of one dimension. The longest dimension first. nullopt where they form none.
std::optional<GridFit> grid_in_any_order(const RankGraph& graph);

}  // namespace hockney::applications
