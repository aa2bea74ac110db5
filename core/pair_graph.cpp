#include "core/pair_graph.hpp"

#include <vector>

namespace hockney {
namespace {

enum class Side { unseen, left, right };

Side opposite(Side side) { return side == Side::left ? Side::right : Side::left; }

/// Whether the part of the graph that holds `start` cannot be coloured with two colours.
bool has_odd_cycle(const std::vector<std::vector<std::size_t>>& neighbours, std::size_t start,
                   std::vector<Side>& side) {
  bool odd = false;
  std::vector<std::size_t> open{start};
  side[start] = Side::left;
  while (!open.empty()) {
    const std::size_t vertex = open.back();
    open.pop_back();
    for (const std::size_t neighbour : neighbours[vertex]) {
      odd = odd || side[neighbour] == side[vertex];
      if (side[neighbour] != Side::unseen) continue;
      side[neighbour] = opposite(side[vertex]);
      open.push_back(neighbour);
    }
  }
  return odd;
}

}  // namespace

bool every_part_has_an_odd_cycle(std::span<const Edge> edges, std::size_t vertices) {
  std::vector<std::vector<std::size_t>> neighbours(vertices);
  for (const Edge& edge : edges) {
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  std::vector<Side> side(vertices, Side::unseen);
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    if (side[vertex] == Side::unseen && !has_odd_cycle(neighbours, vertex, side)) return false;
  }
  return true;
}

}  // namespace hockney
