#pragma once

#include <cstddef>
#include <vector>

#include "application/analysis/message_matrix.hpp"

namespace hockney::applications {

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
