#include "components/application/analysis/communication.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "components/application/analysis/grids.hpp"
#include "components/application/profile/profile.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::applications {
namespace {

/// Adds up cells in any order.
class CellSums {
 public:
  void add(int from, int to, const Volume& volume) { cells_[{from, to}].add(volume); }

  [[nodiscard]] std::vector<MatrixCell> cells() const {
    std::vector<MatrixCell> cells;
    for (const auto& [ends, volume] : cells_) {
      if (volume.count > 0) cells.push_back({ends.first, ends.second, volume});
    }
    return cells;
  }

 private:
  std::map<std::pair<int, int>, Volume> cells_;
};

/// Sums of calls by any key, those with the most time first.
template <class Key>
class SumsBy {
 public:
  void add(const Key& key, const profile::Calls& calls) {
    Group& group = groups_[key];
    group.sums.add(calls);
    const double seconds = group.of_rank[calls.slowest_rank] += calls.slowest_seconds;
    if (seconds < group.sums.slowest_seconds) return;
    group.sums.slowest_rank = calls.slowest_rank;
    group.sums.slowest_seconds = seconds;
  }

  /// One result of `make` for each key and its sums.
  template <class Make>
  auto listed(Make make) const {
    std::vector<std::invoke_result_t<Make, const Key&, const CallSums&>> all;
    all.reserve(groups_.size());
    for (const auto& [key, group] : groups_) all.push_back(make(key, group.sums));
    std::ranges::stable_sort(
        all, [](const auto& a, const auto& b) { return a.sums.seconds > b.sums.seconds; });
    return all;
  }

 private:
  struct Group {
    CallSums sums;
    std::map<int, double> of_rank;  ///< time of the slowest rank, from the rows [s]
  };
  std::map<Key, Group> groups_;
};

/// Class of a size: the number of its bits.
int bits_of(std::int64_t bytes) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
}

double overhead_of(const profile::Overhead& overhead, std::string_view call) {
  switch (class_of(call)) {
    case CallClass::send:
      return overhead.send_seconds;
    case CallClass::receive:
      return overhead.receive_seconds;
    case CallClass::completion:
      return overhead.completion_seconds;
    default:
      return overhead.other_seconds;
  }
}

constexpr int fewest_for_all = 4;       // ranks; three of a periodic halo all exchange, too
constexpr int fewest_for_master = 3;    // ranks
constexpr double pair_share = 0.1;      // of the mean over all pairs that each of all-to-all sends
constexpr double one_way_share = 0.05;  // of the bytes that may go the other way in a ring

/// Share of the directed pairs that send at least `pair_share` of the mean.
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

/// The vertex with the most bytes.
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

/// Whether messages of a one-dimensional grid, in order of the ranks, go one way only.
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

/// The same for a grid in unknown order: checks each heavy edge.
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
    text += fmt::format(", periodic in {} of {} dimensions", around, dimensions);
  }
  return text + (pattern.diagonals ? ", with diagonals" : "");
}

/// One decimal; whole numbers have none.
std::string neighbours_text(double neighbours) {
  const auto tenths = whole_number<std::int64_t>(10 * neighbours);
  return tenths % 10 == 0 ? std::to_string(tenths / 10)
                          : fmt::format("{}.{}", tenths / 10, tenths % 10);
}

std::string plain_name(const Pattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::ring:
    case PatternKind::chain:
      return fmt::format("{} of {}", word(pattern.kind), pattern.grid.front());
    case PatternKind::halo:
      return fmt::format("{}-D halo {}", pattern.grid.size(), grid_text(pattern));
    case PatternKind::master_worker:
      return fmt::format("master-worker, master {}", pattern.root.value_or(0));
    case PatternKind::irregular:
      return fmt::format("irregular, {} neighbours on average",
                         neighbours_text(pattern.neighbours));
    default:
      return std::string(word(pattern.kind));
  }
}

}  // namespace

Volume MessageMatrix::total() const {
  Volume total;
  for (const MatrixCell& cell : cells) total.add(cell.volume);
  return total;
}

MessageMatrix message_matrix(const profile::Profile& profile) {
  CellSums sums;
  Volume elsewhere;
  for (const profile::Messages& row : profile.messages) {
    const Volume volume{row.messages, row.bytes, row.min_bytes, row.max_bytes};
    if (row.to) {
      sums.add(row.from, *row.to, volume);
    } else {
      elsewhere.add(volume);
    }
  }
  return {.size = profile.world_ranks, .cells = sums.cells(), .elsewhere = elsewhere};
}

Nodes nodes_of(const profile::Profile& profile) {
  Nodes nodes;
  std::map<std::string, int> known;
  const auto index_of = [&](const std::string& host) {
    const auto [found, is_new] = known.try_emplace(host, nodes.size());
    if (is_new) nodes.names.push_back(host);
    return found->second;
  };
  nodes.of_rank.assign(static_cast<std::size_t>(profile.world_ranks), -1);
  for (const profile::Rank& rank : profile.ranks) {
    nodes.of_rank[static_cast<std::size_t>(rank.rank)] = index_of(rank.host);
  }
  nodes.known = nodes.size();
  for (int& node : nodes.of_rank) {
    if (node < 0) node = index_of("?");
  }
  return nodes;
}

MessageMatrix fused(const MessageMatrix& by_rank, const Nodes& nodes) {
  CellSums sums;
  for (const MatrixCell& cell : by_rank.cells) {
    sums.add(nodes.of_rank[static_cast<std::size_t>(cell.from)],
             nodes.of_rank[static_cast<std::size_t>(cell.to)], cell.volume);
  }
  return {.size = nodes.size(), .cells = sums.cells(), .elsewhere = by_rank.elsewhere};
}

std::optional<double> leaving_share(const MessageMatrix& by_node, const Nodes& nodes) {
  Volume leaving;
  for (const MatrixCell& cell : by_node.cells) {
    if (std::max(cell.from, cell.to) >= nodes.known) return std::nullopt;
    if (cell.from != cell.to) leaving.add(cell.volume);
  }
  return share_of(leaving.bytes, by_node.total().bytes);
}

Cut cut_of(const MessageMatrix& by_rank, const Nodes& nodes) {
  std::map<std::pair<int, int>, std::int64_t> edges;  // the larger direction
  for (const MatrixCell& cell : by_rank.cells) {
    const auto node_of = [&](int rank) { return nodes.of_rank[static_cast<std::size_t>(rank)]; };
    if (node_of(cell.from) == node_of(cell.to)) continue;
    std::int64_t& bytes = edges[std::minmax(cell.from, cell.to)];
    bytes = std::max(bytes, cell.volume.bytes);
  }
  Volume sum;
  for (const auto& [ends, bytes] : edges) sum.add({.count = 1, .bytes = bytes});
  return {.edges = static_cast<int>(edges.size()), .bytes = sum.bytes};
}

CallClass class_of(std::string_view call) {
  using profile::Kind;
  const auto function = profile::find_call(call);
  switch (function ? profile::describe(*function).kind : Kind::other) {
    case Kind::send:
    case Kind::send_receive:
    case Kind::replace:
    case Kind::start:
    case Kind::start_all:
    case Kind::one_sided:
      return CallClass::send;
    case Kind::receive:
    case Kind::start_receive:
    case Kind::probe:
      return CallClass::receive;
    case Kind::wait:
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
    case Kind::test:
    case Kind::test_all:
    case Kind::test_any:
    case Kind::test_some:
      return CallClass::completion;
    default:
      return CallClass::other;
  }
}

bool is_file_call(std::string_view call) { return call.starts_with("MPI_File_"); }

void CallSums::add(const profile::Calls& calls) {
  min_seconds = volume.count == 0 ? calls.min_seconds : std::min(min_seconds, calls.min_seconds);
  max_seconds = std::max(max_seconds, calls.max_seconds);
  volume.add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
  seconds += calls.seconds;
  ranks = std::max(ranks, calls.ranks);
}

std::vector<FunctionCalls> by_function(const profile::Profile& profile) {
  SumsBy<std::string> sums;
  for (const profile::Calls& calls : profile.calls) sums.add(calls.call, calls);
  return sums.listed([](const std::string& call, const CallSums& of_call) {
    return FunctionCalls{call, of_call};
  });
}

std::vector<SiteCalls> by_site(const profile::Profile& profile) {
  SumsBy<std::pair<std::string, std::optional<int>>> sums;
  for (const profile::Calls& calls : profile.calls) sums.add({calls.call, calls.site}, calls);
  return sums.listed([](const auto& key, const CallSums& of_site) {
    return SiteCalls{key.first, key.second, of_site};
  });
}

std::vector<RegionCalls> by_region(const profile::Profile& profile) {
  SumsBy<std::optional<int>> sums;
  for (const profile::Calls& calls : profile.calls) sums.add(calls.region, calls);
  return sums.listed([](const std::optional<int>& region, const CallSums& of_region) {
    return RegionCalls{region, of_region};
  });
}

std::vector<SizeClass> by_size(const profile::Profile& profile, std::string_view call) {
  std::map<int, SizeClass> classes;
  for (const profile::Calls& calls : profile.calls) {
    const bool is_wanted = call.empty() ? calls.bytes > 0 : calls.call == call;
    if (!is_wanted) continue;
    const int bits = bits_of(calls.max_bytes);
    SizeClass& of_size = classes[bits];
    of_size.from_bytes = bits == 0 ? 0 : std::int64_t{1} << (bits - 1);
    of_size.to_bytes = bits == 0 ? 0 : of_size.from_bytes + (of_size.from_bytes - 1);
    of_size.volume.add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
    of_size.seconds += calls.seconds;
  }
  std::vector<SizeClass> listed;
  listed.reserve(classes.size());
  for (const auto& [bits, of_size] : classes) listed.push_back(of_size);
  return listed;
}

std::optional<RecordingOverhead> recording_overhead(const profile::Profile& profile) {
  double counted = 0;
  RecordingOverhead overhead;
  for (const profile::Calls& calls : profile.calls) {
    const auto count = static_cast<double>(calls.count);
    counted += count;
    overhead.seconds += count * overhead_of(profile.overhead, calls.call);
  }
  double made = 0;
  double ran_seconds = 0;
  double readings = 0;
  for (const profile::Rank& rank : profile.ranks) {
    made += static_cast<double>(rank.calls);
    ran_seconds += rank.seconds;
    if (rank.cpu) readings += rank.cpu->reading_seconds;
  }
  if (made > counted) overhead.seconds += (made - counted) * profile.overhead.other_seconds;
  const double calls = std::max(made, counted);
  if (!(calls > 0)) return std::nullopt;
  overhead.seconds_per_call = overhead.seconds / calls;
  overhead.seconds += readings;
  overhead.fraction = share_of(overhead.seconds, ran_seconds);
  return overhead;
}

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
