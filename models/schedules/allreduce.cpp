#include "models/schedules/common_steps.hpp"
#include "models/schedules/family.hpp"
#include "models/schedules/scattered_reduction.hpp"
#include "models/schedules/tree.hpp"

namespace hockney::schedules {
namespace {

Schedule up_and_down(const Workload& workload, const Tree& up, const Tree& down) {
  Drawing drawing = draw_vector(workload);
  combine_up(drawing, up, {whole(workload)});
  broadcast(drawing, down, {whole(workload)});
  return drawing.finish();
}

Schedule linear_allreduce(const Workload& workload) {
  return up_and_down(workload, flat_tree(workload.ranks), flat_tree(workload.ranks));
}

/// A reduce, then a bcast; which of their algorithms is the library's choice, here the binomial.
Schedule nonoverlapping(const Workload& workload) {
  return up_and_down(workload, in_order_binomial_tree(workload.ranks),
                     binomial_tree(workload.ranks));
}

Schedule recursive_doubling_allreduce(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  const Fold fold(workload.ranks);
  const Slots all = whole(workload);
  for (int pair = 0; pair < fold.extra; ++pair) {
    drawing.message(2 * pair, 2 * pair + 1, all, Delivery::combine);
  }
  for (int distance = 1; distance < fold.power; distance *= 2) {
    for (int member = 0; member < fold.power; ++member) {
      const int rank = fold.odd(member);
      const int partner = fold.odd(member ^ distance);
      drawing.receive(rank, partner, all, Delivery::combine);
      drawing.send(rank, partner, all);
      drawing.wait(rank);
    }
  }
  for (int pair = 0; pair < fold.extra; ++pair) {
    drawing.message(2 * pair + 1, 2 * pair, all);
  }
  return drawing.finish();
}

}  // namespace

Family allreduce_family() {
  return {{"basic_linear", {"linear"}, linear_allreduce},
          {"nonoverlapping", {"redbcast"}, nonoverlapping},
          {"recursive_doubling", {"rdb"}, recursive_doubling_allreduce},
          {"ring", {"lr"}, allreduce_ring, fewer_elements_than_ranks},
          {"segmented_ring",
           {"ompi_ring_segmented"},
           allreduce_segmented_ring,
           fewer_elements_than_ranks},
          {"rabenseifner",
           {"rab1", "rab2", "rab_rdb", "reduce_scatter_allgather"},
           allreduce_rabenseifner,
           fewer_elements_than_power}};
}

}  // namespace hockney::schedules
