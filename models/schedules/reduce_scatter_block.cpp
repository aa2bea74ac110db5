#include <algorithm>

#include "models/schedules/family.hpp"
#include "models/schedules/scattered_reduction.hpp"

namespace hockney::schedules {
namespace {

Schedule recursive_halving_reduce_scatter_block(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  scatter_by_halving(drawing, Blocks::of_ranks(workload));
  return drawing.finish();
}

Schedule butterfly_reduce_scatter_block(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  scatter_by_butterfly(drawing, Blocks::of_ranks(workload));
  return drawing.finish();
}

/// All blocks but those of the sender's own group of `distance` ranks.
Slots blocks_outside(int rank, int distance, int ranks) {
  const int begin = rank / distance * distance;
  const int end = std::min(begin + distance, ranks);
  return {.first = end % ranks, .count = ranks - (end - begin)};
}

/// As in the scatter_allgather bcast: ranks without a partner are told by those that have one.
void tell_the_partnerless(Drawing& drawing, int begin, int distance) {
  const int ranks = drawing.ranks();
  const int informed = ranks - begin - distance;
  if (informed <= 0 || informed >= distance) return;
  const Slots theirs = blocks_outside(begin + distance, distance, ranks);
  for (int half = distance / 2; half >= 1; half /= 2) {
    for (int rank = begin; rank < begin + distance; ++rank) {
      const int known = rank / (2 * half) * 2 * half + informed;
      const bool tells = (rank & half) == 0 && rank < known && (rank | half) >= known;
      if (!tells) continue;
      drawing.send_now(rank, rank | half, theirs, Source::received);
      drawing.receive_now(rank | half, rank, theirs, Delivery::combine);
    }
  }
}

Schedule recursive_doubling_reduce_scatter_block(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int partner = rank ^ distance;
      if (partner >= ranks) continue;
      drawing.receive(rank, partner, blocks_outside(partner, distance, ranks), Delivery::combine);
      drawing.send(rank, partner, blocks_outside(rank, distance, ranks));
      drawing.wait(rank);
    }
    for (int begin = 0; begin < ranks; begin += 2 * distance) {
      tell_the_partnerless(drawing, begin, distance);
    }
  }
  return drawing.finish();
}

}  // namespace

Family reduce_scatter_block_family() {
  return {{"recursive_doubling", {"rdb"}, recursive_doubling_reduce_scatter_block},
          {"recursive_halving", {}, recursive_halving_reduce_scatter_block},
          {"butterfly", {}, butterfly_reduce_scatter_block}};
}

}  // namespace hockney::schedules
