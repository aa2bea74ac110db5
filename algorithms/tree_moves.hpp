#pragma once

#include <vector>

#include "algorithms/drawing.hpp"
#include "algorithms/tree.hpp"

namespace hockney {

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

}  // namespace hockney
