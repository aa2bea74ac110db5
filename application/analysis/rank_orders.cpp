#include "application/analysis/rank_orders.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::applications {
namespace {

/// Steps to the neighbours of a point: along one dimension, or with diagonals along several.
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
    throw InputError(
        {"bad " + option + " '" + std::string(text) + "'", why, "write it like 24x16"});
  };
  std::vector<int> sizes;
  std::int64_t ranks = 1;
  for (const std::string& part : split(text, 'x')) {
    const int size = as_number<int>(part).value_or(0);
    if (size < 1 || size > most_ranks) reject("'" + part + "' is no size of a dimension");
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
    throw InputError(
        {"tiles of " + join_numbers(tile, " x ") + " for " + std::to_string(nodes) + " nodes",
         divides ? "a grid of " + join_numbers(grid.sizes, " x ") + " has " +
                       std::to_string(tiles) + " of them"
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

}  // namespace hockney::applications
