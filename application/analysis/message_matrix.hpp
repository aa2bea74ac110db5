#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application/analysis/volume.hpp"
#include "application/profile/profile.hpp"

namespace hockney::applications {

/// All messages from one row to another, whatever carried them.
struct MatrixCell {
  int from = 0;
  int to = 0;
  Volume volume;

  friend bool operator==(const MatrixCell&, const MatrixCell&) = default;
};

/// Who sent how much to whom: between the ranks of a program, or between its nodes.
struct MessageMatrix {
  int size = 0;                   ///< rows, as many as columns
  std::vector<MatrixCell> cells;  ///< with messages, by `from`, then `to`
  Volume elsewhere;               ///< to nobody in the world, or to a receiver that is not known

  /// Of all cells.
  [[nodiscard]] Volume total() const;
};

/// Between ranks.
MessageMatrix message_matrix(const profile::Profile& profile);

/// Where the ranks were.
struct Nodes {
  std::vector<std::string> names;  ///< of hosts, in order of the ranks; "?", if at all, is the last
  std::vector<int> of_rank;  ///< index into the names; that of "?" for ranks that left nothing
  int known = 0;             ///< without "?"

  [[nodiscard]] int size() const { return static_cast<int>(names.size()); }
};

Nodes nodes_of(const profile::Profile& profile);

/// The rows of ranks of one node become one: nothing is lost, what stays inside a node is on the
/// diagonal.
MessageMatrix fused(const MessageMatrix& by_rank, const Nodes& nodes);

/// Of the bytes between nodes, those that leave theirs; nullopt where there are none, or some are
/// of ranks whose node is not known.
std::optional<double> leaving_share(const MessageMatrix& by_node, const Nodes& nodes);

/// Pairs of rows between which messages go, in either direction, on two nodes, and the larger of
/// the bytes one way and the other, summed over these pairs.
struct Cut {
  int edges = 0;
  std::int64_t bytes = 0;
};
Cut cut_of(const MessageMatrix& by_rank, const Nodes& nodes);

}  // namespace hockney::applications
