#pragma once

#include <vector>

#include "models/schedules/traffic.hpp"

namespace hockney::schedules {

/// Who sends to whom; rank 0 is the root, if nothing else is said. Children are in the order in
/// which they are served.
struct Tree {
  std::vector<int> parent;  ///< -1 for the root
  std::vector<std::vector<int>> children;
};

Tree flat_tree(int ranks);

/// The parent of a rank lacks its highest bit; nearest child first (Open MPI's bcast).
Tree binomial_tree(int ranks);

/// The parent lacks the lowest bit, so that subtrees are consecutive ranks; nearest child first.
Tree in_order_binomial_tree(int ranks);

/// Chains of equal length, or one rank less, that begin at the root.
Tree chain_tree(int ranks, int chains);

/// Two children at the most, level by level (Open MPI's numbering).
Tree binary_tree(int ranks);

/// Every rank after all ranks below it, the last rank above all: the upper half of the others below
/// its first child, the lower half below its second (Open MPI's reduce that keeps the order).
Tree in_order_binary_tree(int ranks);

/// The binomial tree to another base than two; farthest child first.
Tree knomial_tree(int ranks, int radix);

/// Down the tree, segment by segment: a rank sends one segment to all its children while it
/// receives the next.
void broadcast(Drawing& drawing, const Tree& tree, const std::vector<Slots>& segments);

/// Down the tree at once, to one child after the other, last child first.
void broadcast_in_turn(Drawing& drawing, const Tree& tree, const Slots& slots);

/// Up the tree, segment by segment: a rank combines what its children send, one after the other,
/// and sends one segment up while it receives the next from its first child.
void combine_up(Drawing& drawing, const Tree& tree, const std::vector<Slots>& segments);

/// How many ranks each subtree of in_order_binomial_tree has.
std::vector<int> subtree_sizes(const Tree& tree);

}  // namespace hockney::schedules
