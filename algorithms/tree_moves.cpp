#include "algorithms/tree_moves.hpp"

#include <algorithm>
#include <ranges>

namespace hockney {
namespace {

const std::vector<int>& children_of(const Tree& tree, int rank) {
  return tree.children[static_cast<std::size_t>(rank)];
}

int parent_of(const Tree& tree, int rank) { return tree.parent[static_cast<std::size_t>(rank)]; }

/// One rank of combine_up.
void combine_at(Drawing& drawing, const Tree& tree, const std::vector<Slots>& segments, int rank) {
  const auto& children = children_of(tree, rank);
  const int parent = parent_of(tree, rank);
  for (std::size_t k = 0; k < segments.size(); ++k) {
    for (const int child : children) {
      drawing.receive(rank, child, segments[k], Delivery::combine);
      // The segment before goes up while the first child's part of this one comes in.
      if (child == children.front() && k > 0 && parent >= 0) {
        drawing.send(rank, parent, segments[k - 1]);
      }
      drawing.wait(rank);
    }
    const bool goes_now = children.empty() || k + 1 == segments.size();
    if (parent >= 0 && goes_now) drawing.send_now(rank, parent, segments[k]);
  }
}

}  // namespace

void broadcast(Drawing& drawing, const Tree& tree, const std::vector<Slots>& segments) {
  for (int rank = 0; rank < drawing.ranks(); ++rank) {
    const int parent = parent_of(tree, rank);
    if (rank > 0) drawing.receive_now(rank, parent, segments.front());
    for (std::size_t k = 0; k < segments.size(); ++k) {
      if (rank > 0 && k + 1 < segments.size()) drawing.receive(rank, parent, segments[k + 1]);
      for (const int child : children_of(tree, rank)) drawing.send(rank, child, segments[k]);
      drawing.wait(rank);
    }
  }
}

void broadcast_in_turn(Drawing& drawing, const Tree& tree, const Slots& slots) {
  for (int rank = 0; rank < drawing.ranks(); ++rank) {
    if (rank > 0) drawing.receive_now(rank, parent_of(tree, rank), slots);
    for (const int child : children_of(tree, rank) | std::views::reverse) {
      drawing.send_now(rank, child, slots);
    }
  }
}

void combine_up(Drawing& drawing, const Tree& tree, const std::vector<Slots>& segments) {
  for (int rank = 0; rank < drawing.ranks(); ++rank) combine_at(drawing, tree, segments, rank);
}

std::vector<int> subtree_sizes(const Tree& tree) {
  std::vector<int> sizes(tree.parent.size(), 1);
  for (std::size_t rank = sizes.size() - 1; rank > 0; --rank) {
    sizes[static_cast<std::size_t>(tree.parent[rank])] += sizes[rank];
  }
  return sizes;
}

}  // namespace hockney
