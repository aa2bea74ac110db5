#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "application/analysis/communication.hpp"

namespace hockney::applications {

/// Two vertices that exchange messages, a < b, and how much: bytes, or messages where all are
/// empty.
struct RankEdge {
  int a = 0;
  int b = 0;
  double forward = 0;   ///< from a to b
  double backward = 0;  ///< from b to a
  bool is_heavy = false;
  bool stands_out = false;  ///< from what most pairs that are not heavy exchange

  [[nodiscard]] double weight() const { return forward + backward; }
};

/// Who exchanges with whom. An edge is heavy when it carries at least a twentieth of what the edge
/// does that half of everything goes over (or over heavier ones): what a few small messages add is
/// not. It stands out when it is heavy, or carries more than twice the median of all pairs that are
/// not, which is nothing where most of them exchange nothing. The vertices are the ranks with heavy
/// edges, in their order.
struct RankGraph {
  std::vector<int> ranks;       ///< of each vertex
  std::vector<RankEdge> edges;  ///< between the vertices
  double weight = 0;            ///< of all edges, also of those to ranks that are no vertices

  [[nodiscard]] int size() const { return static_cast<int>(ranks.size()); }
  /// Along heavy edges, of each vertex.
  [[nodiscard]] std::vector<std::vector<int>> neighbours() const;
};

/// Messages of a rank to itself are left out.
RankGraph rank_graph(const MessageMatrix& by_rank);

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
