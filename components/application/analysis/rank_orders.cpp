#include "components/application/analysis/rank_orders.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::applications {
namespace {

/// Offsets to the neighbours of a point: along one dimension, or with diagonals along several.
std::vector<std::vector<int>> steps_of(const RankGrid& grid) {
  std::vector<std::vector<int>> steps{{}};
  for (std::size_t dimension = 0; dimension < grid.sizes.size(); ++dimension) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& step : steps) {
      for (const int along : {-1, 0, 1}) {
        longer.push_back(step);
        longer.back().push_back(along);
      }
    }
    steps = std::move(longer);
  }
  std::erase_if(steps, [&](const std::vector<int>& step) {
    const auto still = std::ranges::count(step, 0);
    const auto all = std::ssize(step);
    return still == all || (!grid.diagonals && still != all - 1);
  });
  return steps;
}

/// nullopt beyond the edge of a grid that is not periodic.
std::optional<int> neighbour(const RankGrid& grid, const std::vector<int>& place,
                             const std::vector<int>& step) {
  int rank = 0;
  for (std::size_t k = 0; k < place.size(); ++k) {
    int at = place[k] + step[k];
    if (grid.periodic) at = (at + grid.sizes[k]) % grid.sizes[k];
    if (at < 0 || at >= grid.sizes[k]) return std::nullopt;
    rank = rank * grid.sizes[k] + at;
  }
  return rank;
}

constexpr double of_a_pair = 1e-3;  // less than a byte
constexpr double least_gain = of_a_pair / 2;

/// Fills nodes one after the other.
class NodeFilling {
 public:
  explicit NodeFilling(const std::vector<Exchanges::Partners>& partners)
      : partners_(partners), left_(partners.size(), 0), pull_(partners.size(), 0) {
    for (std::size_t rank = 0; rank < left_.size(); ++rank) {
      for (const Exchanges::Partner& partner : partners[rank]) left_[rank] += partner.weight;
    }
  }

  void begin_node() {
    for (double& each : pull_) each = each == placed ? placed : 0;
  }

  /// Takes the rank that exchanges the most with those on the node. On a tie, takes the one with
  /// the least weight to ranks without a node.
  int take() {
    std::size_t best = pull_.size();
    for (std::size_t rank = 0; rank < pull_.size(); ++rank) {
      if (pull_[rank] != placed && (best == pull_.size() || is_better(rank, best))) best = rank;
    }
    pull_[best] = placed;
    for (const Exchanges::Partner& partner : partners_[best]) {
      const auto other = static_cast<std::size_t>(partner.rank);
      left_[other] -= partner.weight;
      if (pull_[other] != placed) pull_[other] += partner.weight;
    }
    return static_cast<int>(best);
  }

 private:
  static constexpr double placed = -1;

  [[nodiscard]] bool is_better(std::size_t rank, std::size_t than) const {
    return pull_[rank] > pull_[than] || (pull_[rank] == pull_[than] && left_[rank] < left_[than]);
  }

  const std::vector<Exchanges::Partners>& partners_;
  std::vector<double> left_;  ///< weight between each rank and the ranks without a node
  std::vector<double> pull_;  ///< weight between each rank and the ranks on the node
};

/// Ranks that change places; keeps the weight between each rank and every node.
class Places {
 public:
  Places(const std::vector<Exchanges::Partners>& partners, std::vector<int>& of_rank)
      : partners_(partners),
        of_rank_(of_rank),
        nodes_(static_cast<std::size_t>(std::ranges::max(of_rank)) + 1),
        sums_(of_rank.size() * nodes_, 0) {
    for (int rank = 0; rank < size(); ++rank) {
      for (const Exchanges::Partner& partner : partners_of(rank)) {
        sum(rank, node_of(partner.rank)) += partner.weight;
      }
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(of_rank_.size()); }

  /// The best rank for `a` to swap with; nullopt if no swap helps.
  [[nodiscard]] std::optional<int> best_for(int a) const {
    std::optional<int> best;
    double most = least_gain;
    for (int b = 0; b < size(); ++b) {
      const double gain = node_of(b) == node_of(a) ? 0 : gain_of(a, b);
      if (gain <= most) continue;
      most = gain;
      best = b;
    }
    return best;
  }

  void swap(int a, int b) {
    const int from = node_of(a);
    move(a, node_of(b));
    move(b, from);
  }

 private:
  [[nodiscard]] const Exchanges::Partners& partners_of(int rank) const {
    return partners_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int node_of(int rank) const { return of_rank_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t index(int rank, int node) const {
    return static_cast<std::size_t>(rank) * nodes_ + static_cast<std::size_t>(node);
  }
  double& sum(int rank, int node) { return sums_[index(rank, node)]; }
  [[nodiscard]] double sum(int rank, int node) const { return sums_[index(rank, node)]; }

  [[nodiscard]] double gain_of(int a, int b) const {
    const int from = node_of(a);
    const int to = node_of(b);
    const auto& partners = partners_of(a);
    const auto found = std::ranges::lower_bound(partners, b, {}, &Exchanges::Partner::rank);
    const bool are_partners = found != partners.end() && found->rank == b;
    return sum(a, to) - sum(a, from) + sum(b, from) - sum(b, to) -
           2 * (are_partners ? found->weight : 0);
  }

  void move(int rank, int node) {
    for (const Exchanges::Partner& partner : partners_of(rank)) {
      sum(partner.rank, node_of(rank)) -= partner.weight;
      sum(partner.rank, node) += partner.weight;
    }
    of_rank_[static_cast<std::size_t>(rank)] = node;
  }

  const std::vector<Exchanges::Partners>& partners_;
  std::vector<int>& of_rank_;
  std::size_t nodes_;
  std::vector<double> sums_;
};

}  // namespace

std::vector<int> in_order(std::size_t ranks) {
  std::vector<int> order(ranks);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> filled(const std::vector<int>& order, const std::vector<int>& slots) {
  std::vector<int> of_rank(order.size(), 0);
  std::size_t next = 0;
  for (std::size_t node = 0; node < slots.size(); ++node) {
    for (int i = 0; i < slots[node]; ++i) {
      of_rank[static_cast<std::size_t>(order[next++])] = static_cast<int>(node);
    }
  }
  return of_rank;
}

std::vector<int> dealt_out(std::vector<int> slots, std::size_t ranks) {
  std::vector<int> of_rank;
  while (of_rank.size() < ranks) {
    for (std::size_t node = 0; node < slots.size(); ++node) {
      if (slots[node]-- > 0 && of_rank.size() < ranks) of_rank.push_back(static_cast<int>(node));
    }
  }
  return of_rank;
}

int block_number(const std::vector<int>& place, const std::vector<int>& grid,
                 const std::vector<int>& block) {
  int number = 0;
  for (std::size_t k = 0; k < block.size(); ++k) {
    number = number * (grid[k] / block[k]) + place[k] / block[k];
  }
  return number;
}

int RankGrid::ranks() const {
  return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
}

std::vector<int> RankGrid::place_of(int rank) const {
  std::vector<int> place(sizes.size());
  for (std::size_t k = sizes.size(); k-- > 0;) {
    place[k] = rank % sizes[k];
    rank /= sizes[k];
  }
  return place;
}

std::vector<int> parse_grid(const std::string& option, std::string_view text) {
  constexpr std::int64_t most_ranks = 1'000'000;
  constexpr std::size_t most_dimensions = 3;
  const auto reject = [&](const std::string& why) {
    throw InputError({fmt::format("bad {} '{}'", option, text), why, "write it like 24x16"});
  };
  std::vector<int> sizes;
  std::int64_t ranks = 1;
  for (const std::string& part : split(text, 'x')) {
    const int size = as_number<int>(part).value_or(0);
    if (size < 1 || size > most_ranks) reject(fmt::format("'{}' is no size of a dimension", part));
    sizes.push_back(size);
    ranks = std::min(ranks * size, most_ranks + 1);
  }
  if (sizes.size() > most_dimensions) reject("it has more than three dimensions");
  if (ranks > most_ranks) reject("it has more than a million ranks");
  return sizes;
}

MessageMatrix halo_messages(const RankGrid& grid, std::int64_t bytes) {
  const std::vector<std::vector<int>> steps = steps_of(grid);
  MessageMatrix matrix{.size = grid.ranks(), .cells = {}, .elsewhere = {}};
  for (int rank = 0; rank < matrix.size; ++rank) {
    const std::vector<int> place = grid.place_of(rank);
    std::map<int, Volume> row;
    for (const std::vector<int>& step : steps) {
      const auto other = neighbour(grid, place, step);
      if (!other || *other == rank) continue;
      row[*other].add({.count = 1, .bytes = bytes, .min_bytes = bytes, .max_bytes = bytes});
    }
    for (const auto& [other, volume] : row) matrix.cells.push_back({rank, other, volume});
  }
  return matrix;
}

std::vector<int> tiled(const RankGrid& grid, const std::vector<int>& tile, int nodes) {
  bool divides = tile.size() == grid.sizes.size();
  int tiles = 1;
  for (std::size_t k = 0; divides && k < tile.size(); ++k) {
    divides = grid.sizes[k] % tile[k] == 0;
    tiles *= grid.sizes[k] / tile[k];
  }
  if (!divides || tiles != nodes) {
    throw InputError({fmt::format("tiles of {} do not fit", join_numbers(tile, " x ")),
                      divides ? fmt::format("a grid of {} has {} of them; number of nodes: {}",
                                            join_numbers(grid.sizes, " x "), tiles, nodes)
                              : "they do not divide a grid of " + join_numbers(grid.sizes, " x "),
                      "a tile is the ranks of one node"});
  }
  std::vector<int> of_rank;
  of_rank.reserve(static_cast<std::size_t>(grid.ranks()));
  for (int rank = 0; rank < grid.ranks(); ++rank) {
    of_rank.push_back(block_number(grid.place_of(rank), grid.sizes, tile));
  }
  return of_rank;
}

Volume leaving(const MessageMatrix& by_rank, const std::vector<int>& of_rank) {
  const auto node = [&](int rank) { return of_rank[static_cast<std::size_t>(rank)]; };
  Volume all;
  for (const MatrixCell& cell : by_rank.cells) {
    if (node(cell.from) != node(cell.to)) all.add(cell.volume);
  }
  return all;
}

Exchanges::Exchanges(const MessageMatrix& by_rank)
    : partners_(static_cast<std::size_t>(by_rank.size)) {
  std::map<std::pair<int, int>, std::int64_t> larger;
  for (const MatrixCell& cell : by_rank.cells) {
    if (cell.from == cell.to) continue;
    std::int64_t& bytes = larger[std::minmax(cell.from, cell.to)];
    bytes = std::max(bytes, cell.volume.bytes);
  }
  for (const auto& [ends, bytes] : larger) {
    const double weight = static_cast<double>(bytes) + of_a_pair;
    partners_[static_cast<std::size_t>(ends.first)].push_back({ends.second, weight});
    partners_[static_cast<std::size_t>(ends.second)].push_back({ends.first, weight});
  }
  for (Partners& of_rank : partners_) std::ranges::sort(of_rank, {}, &Partner::rank);
}

std::vector<int> Exchanges::grown_order(const std::vector<int>& slots) const {
  NodeFilling filling(partners_);
  std::vector<int> order;
  order.reserve(partners_.size());
  for (const int slot : slots) {
    filling.begin_node();
    for (int i = 0; i < slot; ++i) order.push_back(filling.take());
  }
  return order;
}

bool Exchanges::swap(std::vector<int>& of_rank) const {
  Places places(partners_, of_rank);
  bool has_swapped = false;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int a = 0; a < places.size(); ++a) {
      const auto best = places.best_for(a);
      if (!best) continue;
      places.swap(a, *best);
      goes_on = has_swapped = true;
    }
  }
  return has_swapped;
}

}  // namespace hockney::applications
