#pragma once

#include <vector>

namespace hockney {

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

}  // namespace hockney
