#include "application/analysis/rank_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hockney::applications {
namespace {

constexpr double heavy_share = 0.05;  // of the middle edge
constexpr double clear_factor = 2;    // of what is between any two ranks

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

/// The edge that half of everything goes over, or over heavier ones.
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

/// The lower median over all pairs of vertices whose edge is not heavy; pairs without one count 0.
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

}  // namespace hockney::applications
