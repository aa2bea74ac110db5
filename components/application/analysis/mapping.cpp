#include "components/application/analysis/mapping.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "components/application/analysis/grids.hpp"
#include "components/application/analysis/rank_orders.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

#ifdef HOCKNEY_HAVE_SCOTCH
// scotch.h needs FILE and fixed integers, and includes neither header.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <scotch.h>
#endif

namespace hockney::applications {
namespace {

/// Number of ranks on each node.
std::vector<int> slots_of(const Nodes& nodes) {
  std::vector<int> slots(static_cast<std::size_t>(nodes.size()), 0);
  for (const int node : nodes.of_rank) ++slots[static_cast<std::size_t>(node)];
  return slots;
}

/// The grid of all ranks; nullopt if some are outside of it.
std::optional<GridFit> whole_grid(const MessageMatrix& by_rank) {
  const RankGraph graph = rank_graph(by_rank);
  if (graph.size() != by_rank.size) return std::nullopt;
  auto fit = grid_in_order(graph);
  return fit ? fit : grid_in_any_order(graph);
}

/// Appends the sizes of blocks that divide a grid and have `cells` cells.
void add_blocks(const std::vector<int>& grid, int cells, std::vector<int>& begun,
                std::vector<std::vector<int>>& all) {
  const std::size_t dimension = begun.size();
  if (dimension == grid.size()) {
    if (cells == 1) all.push_back(begun);
    return;
  }
  for (int size = 1; size <= std::min(grid[dimension], cells); ++size) {
    if (grid[dimension] % size != 0 || cells % size != 0) continue;
    begun.push_back(size);
    add_blocks(grid, cells / size, begun, all);
    begun.pop_back();
  }
}

/// Block of each rank, in the order of the grid.
std::vector<int> block_of_ranks(const GridFit& grid, const std::vector<int>& block) {
  std::vector<int> of_rank;
  of_rank.reserve(grid.places.size());
  for (const std::vector<int>& place : grid.places) {
    of_rank.push_back(block_number(place, grid.sizes, block));
  }
  return of_rank;
}

std::vector<Mapping> block_mappings(const GridFit& grid, const std::vector<int>& slots) {
  if (std::ranges::adjacent_find(slots, std::not_equal_to<>()) != slots.end()) return {};
  std::vector<std::vector<int>> blocks;
  std::vector<int> begun;
  add_blocks(grid.sizes, slots.front(), begun, blocks);
  std::vector<Mapping> mappings;
  mappings.reserve(blocks.size());
  for (const std::vector<int>& block : blocks) {
    mappings.push_back({.how = join_numbers(block, " x ") + " blocks",
                        .of_rank = block_of_ranks(grid, block),
                        .cut = {}});
  }
  return mappings;
}

/// The same parts, on nodes with as many slots, in order of their first ranks.
std::vector<int> in_order_of_nodes(const std::vector<int>& of_rank, const std::vector<int>& slots) {
  std::map<int, std::vector<int>> free;  // nodes by their slots
  for (std::size_t node = slots.size(); node-- > 0;) {
    free[slots[node]].push_back(static_cast<int>(node));
  }
  std::vector<int> named(slots.size(), -1);
  std::vector<int> ordered;
  ordered.reserve(of_rank.size());
  for (const int node : of_rank) {
    int& name = named[static_cast<std::size_t>(node)];
    if (name < 0) {
      std::vector<int>& names = free[slots[static_cast<std::size_t>(node)]];
      name = names.back();
      names.pop_back();
    }
    ordered.push_back(name);
  }
  return ordered;
}

/// Mappings that swaps improve. Cuts are not filled in.
std::vector<Mapping> begun_mappings(const MessageMatrix& by_rank, const Exchanges& exchanges,
                                    const std::vector<int>& slots) {
  const auto ranks = static_cast<std::size_t>(by_rank.size);
  std::vector<Mapping> begun{
      {.how = "ranks in order", .of_rank = filled(in_order(ranks), slots), .cut = {}},
      {.how = "round-robin", .of_rank = dealt_out(slots, ranks), .cut = {}},
      {.how = "grown", .of_rank = filled(exchanges.grown_order(slots), slots), .cut = {}}};
  if (const auto grid = whole_grid(by_rank)) {
    std::ranges::move(block_mappings(*grid, slots), std::back_inserter(begun));
  }
  return begun;
}

bool is_better(const Cut& one, const Cut& other) {
  return one.bytes != other.bytes ? one.bytes < other.bytes : one.edges < other.edges;
}

/// Bytes of the lightest edge along each dimension, in the larger direction.
std::vector<std::int64_t> lightest_edges(const MessageMatrix& by_rank, const GridFit& grid) {
  std::map<std::pair<int, int>, std::int64_t> edges;
  for (const MatrixCell& cell : by_rank.cells) {
    std::int64_t& bytes = edges[std::minmax(cell.from, cell.to)];
    bytes = std::max(bytes, cell.volume.bytes);
  }
  std::vector<std::int64_t> lightest(grid.sizes.size(), -1);
  for (const auto& [ends, bytes] : edges) {
    const auto& a = grid.places[static_cast<std::size_t>(ends.first)];
    const auto& b = grid.places[static_cast<std::size_t>(ends.second)];
    const auto apart = std::ranges::mismatch(a, b).in1 - a.begin();
    if (apart == static_cast<std::ptrdiff_t>(a.size())) continue;
    std::int64_t& least = lightest[static_cast<std::size_t>(apart)];
    if (least < 0 || bytes < least) least = bytes;
  }
  return lightest;
}

/// Least boundary of a part with `cells` cells; a step out of it along dimension k weighs
/// weights[k]. In two dimensions, a part that covers a lines along one and b along the other has at
/// most a b cells.
double least_boundary(int cells, const std::vector<double>& weights) {
  if (weights.size() == 1) return 2 * weights[0];
  if (weights.size() == 2) {
    double least = std::numeric_limits<double>::infinity();
    for (int a = 1; a <= cells; ++a) {
      const int b = (cells + a - 1) / a;
      least = std::min(least, 2 * (a * weights[0] + b * weights[1]));
    }
    return least;
  }
  // Loomis and Whitney: the product of the areas of the three projections is at least cells^2.
  const double product = weights[0] * weights[1] * weights[2] * cells * cells;
  return 6 * std::cbrt(product);
}

/// (Boundaries of all parts - boundary of the grid) / 2.
double least_cut(const GridFit& grid, const std::vector<int>& slots,
                 const std::vector<double>& weights) {
  double sum = 0;
  for (const int cells : slots) sum += least_boundary(cells, weights);
  double own = 0;
  const double all = std::accumulate(slots.begin(), slots.end(), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) own += 2 * all / grid.sizes[k] * weights[k];
  return std::max(0.0, (sum - own) / 2);
}

}  // namespace

bool MappingAdvice::is_change() const { return is_better(best.cut, now.cut); }

std::optional<std::int64_t> cut_bound(const MessageMatrix& by_rank, const Nodes& nodes) {
  const auto grid = whole_grid(by_rank);
  constexpr double nearly_all = 0.999;
  const bool is_plain = grid && !grid->diagonals && grid->explained >= nearly_all &&
                        std::ranges::count(grid->periodic, true) == 0;
  if (!is_plain) return std::nullopt;
  const std::vector<int> slots = slots_of(nodes);
  const std::vector<std::int64_t> lightest = lightest_edges(by_rank, *grid);
  // A step along dimension k crosses a side whose length is the part's width in the other one.
  const std::vector<double> bytes(lightest.begin(), lightest.end());
  constexpr double rounding = 1e-9;
  return whole_number<std::int64_t>(std::ceil(least_cut(*grid, slots, bytes) - rounding));
}

MappingAdvice find_mapping(const MessageMatrix& by_rank, const Nodes& nodes) {
  if (nodes.known < nodes.size()) {
    throw InputError({"cannot map ranks to nodes", "where some ranks were is not known",
                      "record a run that comes to its end"});
  }
  const std::vector<int> slots = slots_of(nodes);
  const Exchanges exchanges(by_rank);
  const auto measured = [&](Mapping mapping) {
    mapping.of_rank = in_order_of_nodes(mapping.of_rank, slots);
    mapping.cut = cut_of(by_rank, {nodes.names, mapping.of_rank, nodes.known});
    return mapping;
  };
  const auto swapped = [&](Mapping mapping) {
    const bool is_swapped = exchanges.swap(mapping.of_rank);
    mapping.how += ", then swaps";
    return is_swapped ? std::optional(measured(std::move(mapping))) : std::nullopt;
  };
  MappingAdvice advice;
  advice.now = {.how = "as it was", .of_rank = nodes.of_rank, .cut = cut_of(by_rank, nodes)};
  std::vector<Mapping> begun = begun_mappings(by_rank, exchanges, slots);
  begun.insert(begun.begin(), advice.now);
  for (Mapping& mapping : begun) {
    if (auto better = swapped(mapping)) advice.tried.push_back(std::move(*better));
    if (mapping.how != advice.now.how) advice.tried.push_back(measured(std::move(mapping)));
  }
  std::ranges::stable_sort(advice.tried, is_better, &Mapping::cut);
  advice.bound_bytes = cut_bound(by_rank, nodes);
  if (advice.tried.front().cut.bytes != advice.bound_bytes) {
    if (auto proposed = scotch_mapping(by_rank, nodes)) {
      Mapping better = swapped(*proposed).value_or(measured(*proposed));
      const bool is_least = is_better(better.cut, advice.tried.front().cut);
      if (is_least) advice.tried.insert(advice.tried.begin(), std::move(better));
    }
  }
  const bool is_change = is_better(advice.tried.front().cut, advice.now.cut);
  advice.best = is_change ? advice.tried.front() : advice.now;
  return advice;
}

#ifdef HOCKNEY_HAVE_SCOTCH
namespace {

/// Weight of each pair of ranks, in the larger direction, as whole numbers from 1 on.
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
  constexpr double largest = 1 << 20;  // small enough that sums fit into SCOTCH_Num
  ScotchWeights weights(static_cast<std::size_t>(by_rank.size));
  for (const auto& [ends, sum] : bytes) {
    const double scaled = static_cast<double>(sum) * std::min(1.0, largest / double(most));
    const auto weight = static_cast<SCOTCH_Num>(std::max(1.0, std::round(scaled)));
    weights[static_cast<std::size_t>(ends.first)][ends.second] = weight;
    weights[static_cast<std::size_t>(ends.second)][ends.first] = weight;
  }
  return weights;
}

/// The graph in Scotch's arrays; Scotch keeps pointers into them.
struct ScotchGraph {
  std::vector<SCOTCH_Num> first;  ///< of each vertex, index into the next two
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

/// Node of each vertex; empty if Scotch fails.
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
  // With several threads, Scotch's result depends on their timing.
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

/// Weight between a rank and the ranks of a node.
double weight_on(const ScotchWeights& weights, const std::vector<int>& of_rank, std::size_t rank,
                 int node) {
  double sum = 0;
  for (const auto& [partner, weight] : weights[rank]) {
    if (of_rank[static_cast<std::size_t>(partner)] == node) sum += weight;
  }
  return sum;
}

/// A move of one rank to another node, and the weight between nodes that it adds.
struct Move {
  std::size_t rank = 0;
  int node = 0;
  double loss = HUGE_VAL;
};

/// Best move of one rank to a node with room; `free` is negative for nodes with too many ranks.
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

/// Moves ranks from nodes with too many to nodes with room; those that lose the least go first.
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
std::optional<Mapping> scotch_mapping(const MessageMatrix& /*by_rank*/, const Nodes& /*nodes*/) {
  return std::nullopt;
}
#endif

}  // namespace hockney::applications
