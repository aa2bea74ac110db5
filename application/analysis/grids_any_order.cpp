#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "application/analysis/grids.hpp"

namespace hockney::applications {
namespace {

using Neighbours = std::vector<std::vector<int>>;

constexpr int unreached = -1;

/// Steps from one vertex to every other.
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

/// A corner of a grid, by how far it is to every vertex.
struct Corner {
  int vertex = 0;
  std::vector<int> distances;
};

/// Where every vertex lies when `origin` is at 0 and each of `ends` at the end of a dimension: from
/// d(origin) = sum of x, d(end k) = sum of x - 2 x[k] + length of k. Empty where it would not be
/// whole numbers within the lengths.
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
/// is one step, since no distance to a corner differs by more than 1 between its ends: two steps
/// along different dimensions, up or down, would be 2 more or less from one of them.
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

/// The grid with the origin at one corner and `ends` at the ends of its dimensions, or nullopt.
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

/// Once around, from the first vertex on.
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
