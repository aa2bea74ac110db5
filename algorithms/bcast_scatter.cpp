#include "algorithms/bcast_scatter.hpp"

#include <ranges>

#include "algorithms/division.hpp"
#include "algorithms/drawing.hpp"
#include "algorithms/tree_moves.hpp"

namespace hockney {
namespace {

/// The part of `blocks` consecutive ranks from `first` on; ranks beyond the last have none.
Slots part(const Drawing& drawing, int first, int blocks) {
  const Slots all = whole(drawing.workload());
  const Slots begin = ceiling_part(all, drawing.ranks(), first);
  const Slots end = ceiling_part(all, drawing.ranks(), first + blocks);
  return {.first = begin.first, .count = end.first - begin.first};
}

/// Down the in-order binomial tree, farthest child first; nothing is sent to ranks without a part.
void scatter(Drawing& drawing) {
  const Tree tree = in_order_binomial_tree(drawing.ranks());
  const std::vector<int> sizes = subtree_sizes(tree);
  for (int rank = 0; rank < drawing.ranks(); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    const Slots mine = part(drawing, rank, sizes[place]);
    if (rank > 0 && mine.count > 0) drawing.receive_now(rank, tree.parent[place], mine);
    const auto& children = tree.children[place];
    for (const int child : std::views::reverse(children)) {
      const Slots theirs = part(drawing, child, sizes[static_cast<std::size_t>(child)]);
      if (theirs.count > 0) drawing.send_now(rank, child, theirs);
    }
  }
}

/// Ranks of a block of 2 `distance` whose partner does not exist are told by those of their own
/// half that have a partner, by halving distances.
void tell_the_partnerless(Drawing& drawing, int begin, int distance) {
  const int informed = drawing.ranks() - begin - distance;  // of the lower half
  if (informed <= 0 || informed >= distance) return;
  const Slots upper = part(drawing, begin + distance, distance);
  for (int half = distance / 2; half >= 1; half /= 2) {
    for (int rank = begin; rank < begin + distance; ++rank) {
      const int known = rank / (2 * half) * 2 * half + informed;
      const bool tells = (rank & half) == 0 && rank < known && (rank | half) >= known;
      if (tells) drawing.message(rank, rank | half, upper);
    }
  }
}

void gather_by_doubling(Drawing& drawing) {
  const int ranks = drawing.ranks();
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int partner = rank ^ distance;
      if (partner >= ranks) continue;
      drawing.receive(rank, partner, part(drawing, partner / distance * distance, distance));
      drawing.send(rank, partner, part(drawing, rank / distance * distance, distance));
      drawing.wait(rank);
    }
    for (int begin = 0; begin < ranks; begin += 2 * distance) {
      tell_the_partnerless(drawing, begin, distance);
    }
  }
}

}  // namespace

Schedule bcast_scatter_allgather(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  scatter(drawing);
  gather_by_doubling(drawing);
  return drawing.finish();
}

Schedule bcast_scatter_ring(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  scatter(drawing);
  const int ranks = workload.ranks;
  for (int round = 1; round < ranks; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      drawing.receive(rank, (rank - 1 + ranks) % ranks,
                      part(drawing, (rank - round + ranks) % ranks, 1));
      drawing.send(rank, (rank + 1) % ranks, part(drawing, (rank - round + 1 + ranks) % ranks, 1));
      drawing.wait(rank);
    }
  }
  return drawing.finish();
}

}  // namespace hockney
