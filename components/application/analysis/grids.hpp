#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "components/application/analysis/communication.hpp"

namespace hockney::applications {

/// Two vertices that exchange messages, a < b. Weights are bytes, or messages if all are empty.
struct RankEdge {
  int a = 0;
  int b = 0;
  double forward = 0;   ///< from a to b
  double backward = 0;  ///< from b to a
  bool is_heavy = false;
  bool stands_out = false;  ///< above most pairs that are not heavy

  [[nodiscard]] double weight() const { return forward + backward; }
};

/// Graph of the exchanges. The middle edge is the one at which the summed weights, heaviest first,
/// reach half of the total. An edge is heavy from a twentieth of the middle edge's weight on, which
/// excludes a few small messages. An edge stands out if it is heavy, or has more than twice the
/// median weight of all other pairs. That median is 0 if most of these pairs exchange nothing.
/// Vertices are the ranks with heavy edges, in order.
struct RankGraph {
  std::vector<int> ranks;       ///< rank of each vertex
  std::vector<RankEdge> edges;  ///< between the vertices
  double weight = 0;            ///< of all edges, also to ranks that are not vertices

  [[nodiscard]] int size() const { return static_cast<int>(ranks.size()); }
  /// Neighbours of each vertex along heavy edges.
  [[nodiscard]] std::vector<std::vector<int>> neighbours() const;
};

/// Leaves out messages of a rank to itself.
RankGraph rank_graph(const MessageMatrix& by_rank);

/// A Cartesian grid of one to three dimensions that the edges of a graph follow.
struct GridFit {
  std::vector<int> sizes;
  std::vector<bool> periodic;
  bool diagonals = false;
  double explained = 0;  ///< share of the graph's weight between neighbours of the grid
  std::vector<std::vector<int>> places;  ///< coordinates of each vertex
};

inline constexpr double least_explained = 0.9;  ///< share of the graph's weight along a pattern
inline constexpr double least_coverage = 0.95;  ///< share of the pattern's edges that exist

/// The grid, with vertices numbered row by row, that explains the most: at least `least_explained`,
/// with `least_coverage` of its edges in every dimension. Without such a grid, nullopt.
std::optional<GridFit> grid_in_order(const RankGraph& graph);

/// The grid that the heavy edges form exactly, in any numbering of the vertices. It is not
/// periodic, or has one dimension. The longest dimension comes first. nullopt if they form no grid.
std::optional<GridFit> grid_in_any_order(const RankGraph& graph);

}  // namespace hockney::applications
