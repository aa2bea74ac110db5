#include "application/analysis/pattern.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "core/whole_number.hpp"
#include "application/analysis/grids.hpp"

namespace hockney::applications {
namespace {

constexpr int fewest_for_all = 4;       // ranks; three of a periodic halo all exchange, too
constexpr int fewest_for_master = 3;    // ranks
constexpr double pair_share = 0.1;      // of the mean over all pairs that each of all-to-all sends
constexpr double one_way_share = 0.05;  // of the bytes that may go the other way in a ring

/// The part of all directed pairs that send a fair share.
double fair_pairs(const RankGraph& graph) {
  const double pairs = static_cast<double>(graph.size()) * (graph.size() - 1);
  const double least = pair_share * graph.weight / pairs;
  double fair = 0;
  for (const RankEdge& edge : graph.edges) {
    fair += (edge.forward >= least ? 1 : 0) + (edge.backward >= least ? 1 : 0);
  }
  return fair / pairs;
}

bool is_all_to_all(const RankGraph& graph) {
  return graph.size() >= fewest_for_all && fair_pairs(graph) >= least_coverage;
}

/// The vertex over which the most goes.
struct Hub {
  int vertex = 0;
  int partners = 0;
  double share = 0;
};

Hub hub_of(const RankGraph& graph) {
  std::vector<Hub> vertices(graph.ranks.size());
  for (const RankEdge& edge : graph.edges) {
    for (const int vertex : {edge.a, edge.b}) {
      Hub& hub = vertices[static_cast<std::size_t>(vertex)];
      hub.vertex = vertex;
      ++hub.partners;
      hub.share += edge.weight() / graph.weight;
    }
  }
  return *std::ranges::max_element(vertices, {}, &Hub::share);
}

/// Of a grid of one dimension in order of the ranks: whether messages go one way alone.
bool goes_one_way(const RankGraph& graph) {
  double up = 0;
  double down = 0;
  for (const RankEdge& edge : graph.edges) {
    const int apart = edge.b - edge.a;
    const bool is_around = apart > 1 && apart == graph.size() - 1;
    if (apart != 1 && !is_around) continue;
    up += is_around ? edge.backward : edge.forward;
    down += is_around ? edge.forward : edge.backward;
  }
  return std::min(up, down) < one_way_share * (up + down);
}

/// The same of one whose order is not known: along each heavy edge.
bool goes_one_way_anyhow(const RankGraph& graph) {
  return std::ranges::all_of(graph.edges, [](const RankEdge& edge) {
    return !edge.is_heavy || std::min(edge.forward, edge.backward) < one_way_share * edge.weight();
  });
}

Pattern pattern_of(const GridFit& fit, RankOrder order, bool one_way) {
  Pattern pattern{.kind = PatternKind::halo,
                  .grid = fit.sizes,
                  .periodic = fit.periodic,
                  .diagonals = fit.diagonals,
                  .order = order,
                  .root = {}};
  if (fit.sizes.size() == 1 && one_way) {
    pattern.kind = fit.periodic.front() ? PatternKind::ring : PatternKind::chain;
  }
  pattern.explained = fit.explained;
  return pattern;
}

Pattern best_pattern(const RankGraph& graph) {
  if (is_all_to_all(graph)) return {.kind = PatternKind::all_to_all, .explained = 1};
  if (const auto grid = grid_in_order(graph)) {
    return pattern_of(*grid, RankOrder::rows, goes_one_way(graph));
  }
  const Hub hub = hub_of(graph);
  const bool reaches_all = hub.partners >= least_coverage * (graph.size() - 1);
  if (graph.size() >= fewest_for_master && reaches_all && hub.share >= least_explained) {
    return {.kind = PatternKind::master_worker,
            .root = graph.ranks[static_cast<std::size_t>(hub.vertex)],
            .explained = hub.share};
  }
  if (const auto grid = grid_in_any_order(graph)) {
    return pattern_of(*grid, RankOrder::other, goes_one_way_anyhow(graph));
  }
  return {.kind = PatternKind::irregular};
}

std::string grid_text(const Pattern& pattern) {
  std::string text = join_numbers(pattern.grid, " x ");
  const auto around = std::ranges::count(pattern.periodic, true);
  const auto dimensions = static_cast<std::ptrdiff_t>(pattern.grid.size());
  if (around == dimensions) {
    text += ", periodic";
  } else if (around > 0) {
    text += ", periodic in " + std::to_string(around) + " of " + std::to_string(dimensions) +
            " dimensions";
  }
  return text + (pattern.diagonals ? ", with diagonals" : "");
}

/// With one decimal, and none of whole numbers.
std::string neighbours_text(double neighbours) {
  const auto tenths = whole_number<std::int64_t>(10 * neighbours);
  const std::string whole = std::to_string(tenths / 10);
  return tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10);
}

std::string plain_name(const Pattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::ring:
    case PatternKind::chain:
      return std::string(word(pattern.kind)) + " of " + std::to_string(pattern.grid.front());
    case PatternKind::halo:
      return std::to_string(pattern.grid.size()) + "-D halo " + grid_text(pattern);
    case PatternKind::master_worker:
      return "master-worker, master " + std::to_string(pattern.root.value_or(0));
    case PatternKind::irregular:
      return "irregular, " + neighbours_text(pattern.neighbours) + " neighbours on average";
    default:
      return std::string(word(pattern.kind));
  }
}

}  // namespace

Pattern find_pattern(const MessageMatrix& by_rank) {
  const RankGraph graph = rank_graph(by_rank);
  if (graph.size() == 0) return {};
  Pattern pattern = best_pattern(graph);
  pattern.ranks = graph.size();
  double ends = 0;
  for (const std::vector<int>& of_vertex : graph.neighbours()) {
    ends += static_cast<double>(of_vertex.size());
  }
  pattern.neighbours = ends / graph.size();
  return pattern;
}

std::string name_of(const Pattern& pattern) {
  return plain_name(pattern) + (pattern.order == RankOrder::rows ? "" : ", ranks not in order");
}

}  // namespace hockney::applications
