#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/communication.hpp"

namespace hockney::applications {

/// Node of each rank, with the cut that results.
struct Mapping {
  std::string how;           ///< "as it was", "6 x 4 blocks", "grown and swapped"
  std::vector<int> of_rank;  ///< node of each rank, index into Nodes::names
  Cut cut;
};

/// Best mapping found, on the same nodes with as many ranks on each.
struct MappingAdvice {
  Mapping now;
  Mapping best;                             ///< `now` if none is better
  std::optional<std::int64_t> bound_bytes;  ///< of any mapping (cut_bound)
  std::vector<Mapping> tried;               ///< least bytes first, without `now`

  /// True for fewer bytes between nodes, or equal bytes over fewer pairs.
  [[nodiscard]] bool is_change() const;
};

/// Tries ranks in order, dealt out, in all rectangular blocks of the messages' grid, and grown
/// around the heaviest exchanges. Swaps of two ranks improve each of them until no swap helps. If
/// none reaches the bound, Scotch is tried, too, and kept if it is better. InputError if the node
/// of a rank is unknown.
MappingAdvice find_mapping(const MessageMatrix& by_rank, const Nodes& nodes);

/// Lower bound [B] on the cut of any mapping of a grid to nodes of these sizes. A part of n cells
/// has a minimum boundary; the edge of the grid covers some of it. nullopt unless all ranks form a
/// grid that is not periodic and has no diagonals. Bytes are those of the lightest edge of each
/// dimension.
std::optional<std::int64_t> cut_bound(const MessageMatrix& by_rank, const Nodes& nodes);

/// Maps the graph of the messages to a complete graph of nodes with Scotch (Pellegrini, Roman
/// 1996), with as many ranks on each node as before. If Scotch fills a node too far, the ranks that
/// lose the least move on. `cut` is not filled in. nullopt if this build has no Scotch, or Scotch
/// fails.
std::optional<Mapping> scotch_mapping(const MessageMatrix& by_rank, const Nodes& nodes);

}  // namespace hockney::applications
