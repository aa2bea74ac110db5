#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application/analysis/communication.hpp"

namespace hockney::applications {

/// Ranks on nodes.
struct Mapping {
  std::string how;           ///< "as it was", "6 x 4 blocks", "grown and swapped"
  std::vector<int> of_rank;  ///< node of each rank, index into Nodes::names
  Cut cut;
};

/// What no mapping of a grid to nodes of these sizes can undercut: of so many cells a node's part
/// has a boundary of some length at least, and the edge of the grid takes its share of it.
struct CutBound {
  int edges = 0;
  std::int64_t bytes = 0;
};

/// Where ranks had better be, on the same nodes with as many ranks on each.
struct MappingAdvice {
  Mapping now;
  Mapping best;  ///< `now` where nothing is better
  std::optional<CutBound> bound;
  std::vector<Mapping> tried;  ///< those of least bytes first, without `now`

  /// Fewer bytes between nodes, or as many over fewer pairs.
  [[nodiscard]] bool is_change() const;
};

/// Tries ranks in their order, dealt out, in all rectangular blocks of the grid that the messages
/// form, and grown around the heaviest exchanges; each improved by swaps of two ranks until none
/// helps; and what others propose. InputError for ranks whose node is not known.
MappingAdvice find_mapping(const MessageMatrix& by_rank, const Nodes& nodes,
                           const std::vector<Mapping>& proposed = {});

/// The bound for a grid that is not periodic, without diagonals, and that all ranks are part of;
/// nullopt for any other pattern. Bytes are those of the lightest edge of each dimension.
std::optional<CutBound> cut_bound(const MessageMatrix& by_rank, const Nodes& nodes);

/// Whether this build has Scotch (Pellegrini, Roman 1996).
bool has_scotch();

/// Ranks on the same nodes, with as many on each, as Scotch maps the graph of their messages to a
/// complete graph of nodes; where it fills a node too far, the ranks go on that lose the least.
/// Without a cut. nullopt where this build has no Scotch, or it fails.
std::optional<Mapping> scotch_mapping(const MessageMatrix& by_rank, const Nodes& nodes);

}  // namespace hockney::applications
