#pragma once

#include <cstddef>
#include <span>

namespace hockney {

/// An edge between two vertices by index.
struct Edge {
  std::size_t a = 0;
  std::size_t b = 0;
};

/// Whether each connected part of the graph of `vertices` has a cycle of odd length. Then, and only
/// then, sums x[a] + x[b] known for all edges determine every x: a part without one splits into two
/// sides, and what is added to one may be taken from the other.
bool every_part_has_an_odd_cycle(std::span<const Edge> edges, std::size_t vertices);

}  // namespace hockney
