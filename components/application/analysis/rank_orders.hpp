#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/analysis/communication.hpp"

namespace hockney::applications {

// Orders in which ranks fill nodes. Each is returned as the node of every rank. `slots` is the
// capacity of each node in ranks.

/// 0, 1, 2, ...
std::vector<int> in_order(std::size_t ranks);

/// Fills one node after the other with ranks in this order.
std::vector<int> filled(const std::vector<int>& order, const std::vector<int>& slots);

/// One rank to each node in turn, while it has room.
std::vector<int> dealt_out(std::vector<int> slots, std::size_t ranks);

/// Number of the block, of these sizes, that contains a place of a grid. Blocks are numbered like
/// ranks: the last dimension counts fastest.
int block_number(const std::vector<int>& place, const std::vector<int>& grid,
                 const std::vector<int>& block);

/// Ranks in a Cartesian grid of one to three dimensions, numbered as by MPI_Cart_create: the last
/// dimension counts fastest.
struct RankGrid {
  std::vector<int> sizes;
  bool periodic = false;   ///< in every dimension
  bool diagonals = false;  ///< 9 and 27 points, not 5 and 7

  [[nodiscard]] int ranks() const;
  [[nodiscard]] std::vector<int> place_of(int rank) const;
};

/// Parses "24x16". InputError, with `option` in front, unless the text is one to three numbers from
/// 1 on with at most a million ranks.
std::vector<int> parse_grid(const std::string& option, std::string_view text);

/// Messages of a halo exchange: one of `bytes` bytes to each neighbour. A rank that is its own
/// neighbour, in a periodic dimension of size 1, sends none to itself. A neighbour on both sides
/// gets two.
MessageMatrix halo_messages(const RankGrid& grid, std::int64_t bytes);

/// One node for each block of these sizes. InputError if the sizes do not divide the grid, or the
/// number of blocks is not `nodes`.
std::vector<int> tiled(const RankGrid& grid, const std::vector<int>& tile, int nodes);

/// Messages between nodes, in both directions.
Volume leaving(const MessageMatrix& by_rank, const std::vector<int>& of_rank);

/// Weight of each pair of ranks: the bytes of the larger direction, plus a small constant. With
/// equal bytes, fewer pairs therefore weigh less.
class Exchanges {
 public:
  struct Partner {
    int rank = 0;
    double weight = 0;
  };
  using Partners = std::vector<Partner>;

  explicit Exchanges(const MessageMatrix& by_rank);

  /// Order that fills nodes of these capacities one after the other. Each node starts with the rank
  /// that exchanges the most. Then the rank follows that exchanges the most with those on the node.
  [[nodiscard]] std::vector<int> grown_order(const std::vector<int>& slots) const;

  /// Swaps ranks of different nodes while that reduces the weight between nodes. False if nothing
  /// was swapped.
  [[nodiscard]] bool swap(std::vector<int>& of_rank) const;

 private:
  std::vector<Partners> partners_;  ///< of each rank, by rank
};

}  // namespace hockney::applications
