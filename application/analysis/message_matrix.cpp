#include "application/analysis/message_matrix.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

}  // namespace hockney::applications
