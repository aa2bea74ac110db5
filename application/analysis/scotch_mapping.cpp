#include "application/analysis/scotch_mapping.hpp"

#ifdef HOCKNEY_HAVE_SCOTCH
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include <scotch.h>
#endif

namespace hockney::applications {

#ifdef HOCKNEY_HAVE_SCOTCH
namespace {

/// What each two ranks exchange, the larger direction, as whole numbers from 1 on.
using ScotchWeights = std::vector<std::map<int, SCOTCH_Num>>;

ScotchWeights scotch_weights(const MessageMatrix& by_rank) {
  std::map<std::pair<int, int>, std::int64_t> bytes;
  std::int64_t most = 1;
  for (const MatrixCell& cell : by_rank.cells) {
    if (cell.from == cell.to) continue;
    std::int64_t& sum = bytes[std::minmax(cell.from, cell.to)];
    sum = std::max(sum, cell.volume.bytes);
    most = std::max(most, sum);
  }
  constexpr double largest = 1 << 20;  // many of which add up to a number that Scotch can hold
  ScotchWeights weights(static_cast<std::size_t>(by_rank.size));
  for (const auto& [ends, sum] : bytes) {
    const double scaled = static_cast<double>(sum) * std::min(1.0, largest / double(most));
    const auto weight = static_cast<SCOTCH_Num>(std::max(1.0, std::round(scaled)));
    weights[static_cast<std::size_t>(ends.first)][ends.second] = weight;
    weights[static_cast<std::size_t>(ends.second)][ends.first] = weight;
  }
  return weights;
}

/// The graph as Scotch takes it, which keeps pointers into these.
struct ScotchGraph {
  std::vector<SCOTCH_Num> first;  ///< of each vertex, into the next two
  std::vector<SCOTCH_Num> to;
  std::vector<SCOTCH_Num> weight;
};

ScotchGraph scotch_graph(const ScotchWeights& weights) {
  ScotchGraph graph{.first = {0}, .to = {}, .weight = {}};
  for (const auto& partners : weights) {
    for (const auto& [partner, weight] : partners) {
      graph.to.push_back(partner);
      graph.weight.push_back(weight);
    }
    graph.first.push_back(static_cast<SCOTCH_Num>(graph.to.size()));
  }
  return graph;
}

/// Node of each vertex; empty where Scotch fails.
std::vector<SCOTCH_Num> scotch_parts(const ScotchGraph& data,
                                     const std::vector<SCOTCH_Num>& slots) {
  const auto vertices = static_cast<SCOTCH_Num>(data.first.size() - 1);
  std::vector<SCOTCH_Num> parts(data.first.size() - 1);
  SCOTCH_Graph graph;
  SCOTCH_Arch arch;
  SCOTCH_Strat strategy;
  SCOTCH_graphInit(&graph);
  SCOTCH_archInit(&arch);
  SCOTCH_stratInit(&strategy);
  // The same answer each time: its threads take what they find in any order.
  ::setenv("SCOTCH_PTHREAD_NUMBER", "1", 1);  // NOLINT(concurrency-mt-unsafe)
  SCOTCH_randomReset();
  const bool is_good =
      SCOTCH_graphBuild(&graph, 0, vertices, data.first.data(), nullptr, nullptr, nullptr,
                        static_cast<SCOTCH_Num>(data.to.size()), data.to.data(),
                        data.weight.data()) == 0 &&
      SCOTCH_archCmpltw(&arch, static_cast<SCOTCH_Num>(slots.size()), slots.data()) == 0 &&
      SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                static_cast<SCOTCH_Num>(slots.size()), 0.0) == 0 &&
      SCOTCH_graphMap(&graph, &arch, &strategy, parts.data()) == 0;
  SCOTCH_stratExit(&strategy);
  SCOTCH_archExit(&arch);
  SCOTCH_graphExit(&graph);
  if (!is_good) parts.clear();
  return parts;
}

/// What a rank exchanges with those on a node.
double weight_on(const ScotchWeights& weights, const std::vector<int>& of_rank, std::size_t rank,
                 int node) {
  double sum = 0;
  for (const auto& [partner, weight] : weights[rank]) {
    if (of_rank[static_cast<std::size_t>(partner)] == node) sum += weight;
  }
  return sum;
}

/// A rank that goes to another node, and what is exchanged between nodes afterwards that was not.
struct Move {
  std::size_t rank = 0;
  int node = 0;
  double loss = HUGE_VAL;
};

/// Of one rank, to a node with room; `free` is below 0 where there are too many.
Move cheapest_move(const ScotchWeights& weights, const std::vector<SCOTCH_Num>& free,
                   const std::vector<int>& of_rank, std::size_t rank) {
  Move best;
  const double here = weight_on(weights, of_rank, rank, of_rank[rank]);
  for (int node = 0; node < static_cast<int>(free.size()); ++node) {
    if (free[static_cast<std::size_t>(node)] <= 0) continue;
    const double loss = here - weight_on(weights, of_rank, rank, node);
    if (loss < best.loss) best = {rank, node, loss};
  }
  return best;
}

/// Moves ranks from nodes that have too many to those with room, those first that lose the least.
void fit_slots(const ScotchWeights& weights, std::vector<SCOTCH_Num> free,
               std::vector<int>& of_rank) {
  const auto room_of = [&](int node) -> SCOTCH_Num& {
    return free[static_cast<std::size_t>(node)];
  };
  for (const int node : of_rank) --room_of(node);
  while (std::ranges::any_of(free, [](SCOTCH_Num room) { return room < 0; })) {
    Move best;
    for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
      if (room_of(of_rank[rank]) >= 0) continue;
      const Move move = cheapest_move(weights, free, of_rank, rank);
      if (move.loss < best.loss) best = move;
    }
    ++room_of(of_rank[best.rank]);
    --room_of(best.node);
    of_rank[best.rank] = best.node;
  }
}

}  // namespace

bool has_scotch() { return true; }

std::optional<Mapping> scotch_mapping(const MessageMatrix& by_rank, const Nodes& nodes) {
  std::vector<SCOTCH_Num> slots(static_cast<std::size_t>(nodes.size()), 0);
  for (const int node : nodes.of_rank) ++slots[static_cast<std::size_t>(node)];
  const ScotchWeights weights = scotch_weights(by_rank);
  const std::vector<SCOTCH_Num> parts = scotch_parts(scotch_graph(weights), slots);
  if (parts.empty()) return std::nullopt;
  Mapping mapping{.how = "Scotch", .of_rank = {parts.begin(), parts.end()}, .cut = {}};
  fit_slots(weights, slots, mapping.of_rank);
  return mapping;
}
#else
bool has_scotch() { return false; }

std::optional<Mapping> scotch_mapping(const MessageMatrix& /*by_rank*/, const Nodes& /*nodes*/) {
  return std::nullopt;
}
#endif

}  // namespace hockney::applications
