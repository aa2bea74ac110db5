#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "application/analysis/communication.hpp"

namespace hockney::applications {

// Orders in which ranks fill nodes, each as the node of every rank. `slots` are the ranks that each
// node has room for.

/// 0, 1, 2, ...
std::vector<int> in_order(std::size_t ranks);

/// Ranks in this order fill one node after the other.
std::vector<int> filled(const std::vector<int>& order, const std::vector<int>& slots);

/// One rank to each node in turn, as long as it has room.
std::vector<int> dealt_out(std::vector<int> slots, std::size_t ranks);

/// The block that a place of a grid lies in, where blocks of these sizes divide it; blocks are
/// numbered as ranks are, the last dimension first.
int block_number(const std::vector<int>& place, const std::vector<int>& grid,
                 const std::vector<int>& block);

/// Ranks in a Cartesian grid of one to three dimensions, numbered as MPI_Cart_create does: the last
/// dimension counts fastest.
struct RankGrid {
  std::vector<int> sizes;
  bool periodic = false;   ///< in every dimension
  bool diagonals = false;  ///< 9 and 27 points, not 5 and 7

  [[nodiscard]] int ranks() const;
  [[nodiscard]] std::vector<int> place_of(int rank) const;
};

/// "24x16"; InputError, which begins with `option`, for what is no one to three numbers from 1, or
/// more than a million ranks.
std::vector<int> parse_grid(const std::string& option, std::string_view text);

/// What a halo exchange sends: one message of so many bytes to each neighbour. Neighbours that are
/// the rank itself, at the ends of a periodic dimension of size 1, get none; those that are the
/// same twice get two messages.
MessageMatrix halo_messages(const RankGrid& grid, std::int64_t bytes);

/// A node for each block of these sizes. InputError where they do not divide the grid, or the
/// blocks are not as many as nodes.
std::vector<int> tiled(const RankGrid& grid, const std::vector<int>& tile, int nodes);

/// Messages between nodes, in both directions.
Volume leaving(const MessageMatrix& by_rank, const std::vector<int>& of_rank);

/// How much each two ranks exchange: bytes one way, the larger, and a little for the pair itself,
/// so that of equal bytes fewer pairs weigh less.
class Exchanges {
 public:
  struct Partner {
    int rank = 0;
    double weight = 0;
  };
  using Partners = std::vector<Partner>;

  explicit Exchanges(const MessageMatrix& by_rank);

  /// An order in which nodes with so many slots are filled one after the other, each around the
  /// rank that exchanges the most, by the rank that exchanges the most with those on the node.
  [[nodiscard]] std::vector<int> grown_order(const std::vector<int>& slots) const;

  /// Swaps two ranks of different nodes as long as less is exchanged between nodes afterwards;
  /// false where nothing was swapped.
  [[nodiscard]] bool swap(std::vector<int>& of_rank) const;

 private:
  std::vector<Partners> partners_;  ///< of each rank, by their numbers
};

}  // namespace hockney::applications
