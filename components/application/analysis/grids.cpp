#include "components/application/analysis/grids.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <utility>

#include "components/application/analysis/rank_orders.hpp"

namespace hockney::applications {
namespace {

constexpr double heavy_share = 0.05;  // of the middle edge
constexpr double clear_factor = 2;    // times the median of the other pairs

std::vector<RankEdge> edges_of(const MessageMatrix& matrix, bool has_bytes) {
  std::map<std::pair<int, int>, RankEdge> edges;
  for (const MatrixCell& cell : matrix.cells) {
    if (cell.from == cell.to) continue;
    const auto [a, b] = std::minmax(cell.from, cell.to);
    RankEdge& edge = edges.try_emplace({a, b}, RankEdge{.a = a, .b = b}).first->second;
    const auto amount = static_cast<double>(has_bytes ? cell.volume.bytes : cell.volume.count);
    (cell.from == a ? edge.forward : edge.backward) += amount;
  }
  std::vector<RankEdge> all;
  all.reserve(edges.size());
  for (const auto& [ends, edge] : edges) all.push_back(edge);
  return all;
}

/// Weight of the edge at which the sum, heaviest first, reaches half of `whole`.
double middle_weight(const std::vector<RankEdge>& edges, double whole) {
  std::vector<double> weights;
  weights.reserve(edges.size());
  for (const RankEdge& edge : edges) weights.push_back(edge.weight());
  std::ranges::sort(weights, std::greater<>());
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
    if (2 * sum >= whole) return weight;
  }
  return 0;
}

/// Lower median over all pairs of vertices that have no heavy edge; pairs without an edge count 0.
double background_of(const RankGraph& graph) {
  std::vector<double> weights;
  for (const RankEdge& edge : graph.edges) {
    if (!edge.is_heavy) weights.push_back(edge.weight());
  }
  const std::size_t heavy = graph.edges.size() - weights.size();
  const std::size_t pairs = graph.ranks.size() * (graph.ranks.size() - 1) / 2 - heavy;
  const std::size_t without = pairs - weights.size();
  if (pairs == 0 || (pairs - 1) / 2 < without) return 0;
  std::ranges::sort(weights);
  return weights[(pairs - 1) / 2 - without];
}

constexpr std::size_t most_dimensions = 3;

using Sizes = std::vector<int>;

/// Appends all factorisations of `count` into factors from 2 on, in every order.
void add_factorisations(int count, Sizes& begun, std::vector<Sizes>& all) {
  if (count == 1 && !begun.empty()) all.push_back(begun);
  if (begun.size() == most_dimensions) return;
  for (int factor = 2; factor <= count; ++factor) {
    if (count % factor != 0) continue;
    begun.push_back(factor);
    add_factorisations(count / factor, begun, all);
    begun.pop_back();
  }
}

/// Difference of the numbers of two neighbours along a dimension.
int stride_of(const Sizes& sizes, std::size_t dimension) {
  int stride = 1;
  for (std::size_t k = dimension + 1; k < sizes.size(); ++k) stride *= sizes[k];
  return stride;
}

/// Number of edges by the difference of their vertices' numbers.
using Distances = std::map<int, int>;

/// Quick test on the distances alone; it rejects nearly all grids.
bool may_fit(const Sizes& sizes, const Distances& distances, int vertices) {
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto found = distances.find(stride_of(sizes, k));
    const double wanted = static_cast<double>(vertices) / sizes[k] * (sizes[k] - 1);
    if (found == distances.end() || found->second < least_coverage * wanted) return false;
  }
  return true;
}

/// Position of an edge in a grid, one bit per dimension. `along`: dimensions of one step. `around`:
/// those in which the step goes from one end to the other.
struct GridStep {
  unsigned along = 0;
  unsigned around = 0;
};

std::optional<GridStep> step_of(const RankEdge& edge, const Sizes& sizes) {
  GridStep step;
  int a = edge.a;
  int b = edge.b;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    const int apart = std::abs(b % sizes[k] - a % sizes[k]);
    const bool is_around = apart == sizes[k] - 1 && apart > 1;
    if (apart > 1 && !is_around) return std::nullopt;
    if (apart > 0) step.along |= 1U << k;
    if (is_around) step.around |= 1U << k;
    a /= sizes[k];
    b /= sizes[k];
  }
  return step;
}

struct Tally {
  int edges = 0;  ///< that stand out
  double weight = 0;
};

/// Edges of a graph, grouped by their steps in a grid.
class GridTally {
 public:
  GridTally(const RankGraph& graph, const Sizes& sizes)
      : sizes_(sizes), vertices_(graph.size()), weight_(graph.weight) {
    for (const RankEdge& edge : graph.edges) {
      const auto step = step_of(edge, sizes);
      if (!step) continue;
      Tally& tally = tallies_.at(step->along).at(step->around);
      if (edge.stands_out) ++tally.edges;
      tally.weight += edge.weight();
    }
  }

  [[nodiscard]] std::optional<GridFit> fit() const {
    GridFit fit{.sizes = sizes_, .periodic = std::vector<bool>(sizes_.size())};
    unsigned around = 0;  // dimensions that are periodic
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      const unsigned bit = 1U << k;
      if (!is_covered(bit, 0)) return std::nullopt;
      fit.periodic[k] = sizes_[k] > 2 && is_covered(bit, bit);
      if (fit.periodic[k]) around |= bit;
    }
    fit.diagonals = has_diagonals();
    fit.explained = weight_explained(around, fit.diagonals) / weight_;
    if (fit.explained < least_explained) return std::nullopt;
    return fit;
  }

 private:
  /// Number of edges in a full grid.
  [[nodiscard]] double wanted(unsigned along, unsigned around) const {
    double edges = vertices_;
    int dimensions = 0;
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      if ((along >> k & 1U) == 0) continue;
      const bool is_around = (around >> k & 1U) != 0;
      edges *= static_cast<double>(is_around ? 1 : sizes_[k] - 1) / sizes_[k];
      if (++dimensions > 1) edges *= 2;  // both diagonals of a cell
    }
    return edges;
  }

  [[nodiscard]] bool is_covered(unsigned along, unsigned around) const {
    return tallies_.at(along).at(around).edges >= least_coverage * wanted(along, around);
  }

  [[nodiscard]] bool has_diagonals() const {
    bool any = false;
    for (unsigned along = 0; along < 1U << sizes_.size(); ++along) {
      if ((along & (along - 1)) == 0) continue;
      if (!is_covered(along, 0)) return false;
      any = true;
    }
    return any;
  }

  [[nodiscard]] double weight_explained(unsigned periodic, bool diagonals) const {
    double weight = 0;
    for (unsigned along = 1; along < 1U << sizes_.size(); ++along) {
      const bool is_diagonal = (along & (along - 1)) != 0;
      if (is_diagonal && !diagonals) continue;
      for (unsigned around = 0; around < 1U << sizes_.size(); ++around) {
        if ((around & ~periodic) == 0) weight += tallies_.at(along).at(around).weight;
      }
    }
    return weight;
  }

  static constexpr std::size_t kinds = 1U << most_dimensions;

  const Sizes& sizes_;
  int vertices_;
  double weight_;
  std::array<std::array<Tally, kinds>, kinds> tallies_{};
};

/// Coordinates row by row; the last dimension counts fastest.
std::vector<std::vector<int>> places_in_rows(const Sizes& sizes, int vertices) {
  const RankGrid grid{.sizes = sizes};
  std::vector<std::vector<int>> places;
  places.reserve(static_cast<std::size_t>(vertices));
  for (int vertex = 0; vertex < vertices; ++vertex) places.push_back(grid.place_of(vertex));
  return places;
}

using Neighbours = std::vector<std::vector<int>>;

constexpr int unreached = -1;

/// Steps from `origin` to every other vertex.
std::vector<int> distances_from(const Neighbours& neighbours, int origin) {
  std::vector<int> distances(neighbours.size(), unreached);
  std::queue<int> next;
  distances[static_cast<std::size_t>(origin)] = 0;
  next.push(origin);
  while (!next.empty()) {
    const auto vertex = static_cast<std::size_t>(next.front());
    next.pop();
    for (const int other : neighbours[vertex]) {
      int& distance = distances[static_cast<std::size_t>(other)];
      if (distance != unreached) continue;
      distance = distances[vertex] + 1;
      next.push(other);
    }
  }
  return distances;
}

/// A vertex that may be a corner of a grid, with its distances to every vertex.
struct Corner {
  int vertex = 0;
  std::vector<int> distances;
};

/// Coordinates x of every vertex if `origin` is at 0 and each of `ends` at the end of a dimension.
/// They follow from d(origin) = sum of x and d(end k) = sum of x - 2 x[k] + length of k. Empty if
/// they are not whole numbers within the lengths.
std::vector<std::vector<int>> places_in(const Corner& origin,
                                        const std::vector<const Corner*>& ends) {
  std::vector<std::vector<int>> places(origin.distances.size());
  for (std::size_t v = 0; v < places.size(); ++v) {
    for (const Corner* const end : ends) {
      const int length = origin.distances[static_cast<std::size_t>(end->vertex)];
      const int twice = origin.distances[v] + length - end->distances[v];
      if (twice % 2 != 0 || twice < 0 || twice > 2 * length) return {};
      places[v].push_back(twice / 2);
    }
  }
  return places;
}

/// Whether the vertices fill the grid, one at each place, with as many edges as it has. Every edge
/// is then one step. Distances to a corner differ by at most 1 between the ends of an edge. Two
/// steps along different dimensions would change the distance to some corner by 2.
bool is_grid(const Neighbours& neighbours, const std::vector<std::vector<int>>& places,
             const std::vector<int>& sizes) {
  std::size_t cells = 1;
  for (const int size : sizes) cells *= static_cast<std::size_t>(size);
  const std::set<std::vector<int>> distinct(places.begin(), places.end());
  if (cells != places.size() || distinct.size() != cells) return false;
  std::size_t ends = 0;  // of edges
  for (const std::vector<int>& of_vertex : neighbours) ends += of_vertex.size();
  std::size_t wanted = 0;
  for (const int size : sizes) {
    wanted += 2 * (cells / static_cast<std::size_t>(size)) * static_cast<std::size_t>(size - 1);
  }
  return ends == wanted;
}

/// The grid with `origin` at one corner and `ends` at the ends of its dimensions, or nullopt.
std::optional<GridFit> grid_with(const Neighbours& neighbours, const Corner& origin,
                                 std::vector<const Corner*> ends) {
  const auto length = [&](const Corner* end) {
    return origin.distances[static_cast<std::size_t>(end->vertex)];
  };
  std::ranges::stable_sort(ends, std::greater<>(), length);
  GridFit fit{.sizes = {}, .periodic = {}, .places = places_in(origin, ends)};
  if (fit.places.empty()) return std::nullopt;
  for (const Corner* const end : ends) fit.sizes.push_back(length(end) + 1);
  if (!is_grid(neighbours, fit.places, fit.sizes)) return std::nullopt;
  fit.periodic.assign(ends.size(), false);
  return fit;
}

/// Tries every choice of `dimensions` ends among the corners after the first, which is the origin.
std::optional<GridFit> grid_from(const Neighbours& neighbours, const std::vector<Corner>& corners,
                                 std::size_t dimensions) {
  const unsigned choices = 1U << (corners.size() - 1);
  for (unsigned chosen = 0; chosen < choices; ++chosen) {
    std::vector<const Corner*> ends;
    for (std::size_t i = 1; i < corners.size(); ++i) {
      if ((chosen >> (i - 1) & 1U) != 0) ends.push_back(&corners[i]);
    }
    if (ends.size() != dimensions) continue;
    if (auto fit = grid_with(neighbours, corners.front(), ends)) return fit;
  }
  return std::nullopt;
}

/// A grid of d > 1 dimensions has 2^d corners, the only vertices with d neighbours.
std::optional<GridFit> open_grid(const Neighbours& neighbours) {
  const auto fewest = std::ranges::min_element(
      neighbours, {}, [](const std::vector<int>& of_vertex) { return of_vertex.size(); });
  const std::size_t dimensions = fewest->size();
  if (dimensions < 1 || dimensions > 3) return std::nullopt;
  std::vector<Corner> corners;
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    if (neighbours[v].size() != dimensions) continue;
    if (corners.size() == std::size_t{1} << dimensions) return std::nullopt;
    const int vertex = static_cast<int>(v);
    corners.push_back({vertex, distances_from(neighbours, vertex)});
    if (std::ranges::count(corners.back().distances, unreached) > 0) return std::nullopt;
  }
  if (corners.size() != std::size_t{1} << dimensions) return std::nullopt;
  return grid_from(neighbours, corners, dimensions);
}

/// Places along the cycle, starting at the first vertex.
std::vector<std::vector<int>> places_around(const Neighbours& neighbours) {
  std::vector<std::vector<int>> places(neighbours.size());
  std::size_t vertex = 0;
  for (int place = 0; place < static_cast<int>(places.size()); ++place) {
    places[vertex] = {place};
    for (const int other : neighbours[vertex]) {
      if (places[static_cast<std::size_t>(other)].empty()) {
        vertex = static_cast<std::size_t>(other);
        break;
      }
    }
  }
  return places;
}

/// All vertices have two neighbours, and each reaches every other.
bool is_cycle(const Neighbours& neighbours) {
  const bool has_ends = std::ranges::any_of(
      neighbours, [](const std::vector<int>& of_vertex) { return of_vertex.size() != 2; });
  return !has_ends && std::ranges::count(distances_from(neighbours, 0), unreached) == 0;
}

}  // namespace

std::vector<std::vector<int>> RankGraph::neighbours() const {
  std::vector<std::vector<int>> all(ranks.size());
  for (const RankEdge& edge : edges) {
    if (!edge.is_heavy) continue;
    all[static_cast<std::size_t>(edge.a)].push_back(edge.b);
    all[static_cast<std::size_t>(edge.b)].push_back(edge.a);
  }
  return all;
}

RankGraph rank_graph(const MessageMatrix& by_rank) {
  std::vector<RankEdge> edges = edges_of(by_rank, by_rank.total().bytes > 0);
  RankGraph graph;
  for (const RankEdge& edge : edges) graph.weight += edge.weight();
  if (!(graph.weight > 0)) return graph;
  const double least = heavy_share * middle_weight(edges, graph.weight);
  std::map<int, int> vertices;
  for (RankEdge& edge : edges) {
    edge.is_heavy = edge.weight() >= least;
    if (edge.is_heavy) vertices[edge.a] = vertices[edge.b] = 0;
  }
  for (auto& [rank, vertex] : vertices) {
    vertex = graph.size();
    graph.ranks.push_back(rank);
  }
  for (const RankEdge& edge : edges) {
    const auto a = vertices.find(edge.a);
    const auto b = vertices.find(edge.b);
    if (a == vertices.end() || b == vertices.end()) continue;
    RankEdge& kept = graph.edges.emplace_back(edge);
    kept.a = a->second;
    kept.b = b->second;
  }
  const double clear = clear_factor * background_of(graph);
  for (RankEdge& edge : graph.edges) edge.stands_out = edge.is_heavy || edge.weight() > clear;
  return graph;
}

std::optional<GridFit> grid_in_order(const RankGraph& graph) {
  Distances distances;
  for (const RankEdge& edge : graph.edges) {
    if (edge.stands_out) ++distances[edge.b - edge.a];
  }
  std::vector<Sizes> candidates;
  Sizes begun;
  add_factorisations(graph.size(), begun, candidates);
  std::ranges::stable_sort(candidates, {}, &Sizes::size);
  std::optional<GridFit> best;
  for (const Sizes& sizes : candidates) {
    if (!may_fit(sizes, distances, graph.size())) continue;
    const auto fit = GridTally(graph, sizes).fit();
    if (fit && (!best || fit->explained > best->explained)) best = fit;
  }
  if (best) best->places = places_in_rows(best->sizes, graph.size());
  return best;
}

std::optional<GridFit> grid_in_any_order(const RankGraph& graph) {
  const Neighbours neighbours = graph.neighbours();
  if (neighbours.size() < 2) return std::nullopt;
  GridFit fit;
  if (is_cycle(neighbours)) {
    fit = {.sizes = {graph.size()}, .periodic = {true}, .places = places_around(neighbours)};
  } else if (auto open = open_grid(neighbours)) {
    fit = *std::move(open);
  } else {
    return std::nullopt;
  }
  for (const RankEdge& edge : graph.edges) {
    if (edge.is_heavy) fit.explained += edge.weight() / graph.weight;
  }
  return fit.explained < least_explained ? std::nullopt : std::optional(fit);
}

}  // namespace hockney::applications
