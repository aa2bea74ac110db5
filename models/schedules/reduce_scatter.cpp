#include "models/schedules/family.hpp"
#include "models/schedules/scattered_reduction.hpp"

namespace hockney::schedules {
namespace {

Schedule recursive_halving_reduce_scatter(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  scatter_by_halving(drawing, Blocks::of_vector(workload));
  return drawing.finish();
}

Schedule butterfly_reduce_scatter(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  scatter_by_butterfly(drawing, Blocks::of_vector(workload));
  return drawing.finish();
}

Schedule ring(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  const Blocks blocks = Blocks::of_vector(workload);
  const int ranks = workload.ranks;
  const auto block = [&](int rank) {
    const int place = (rank % ranks + ranks) % ranks;
    return blocks.range(place, place + 1);
  };
  for (int round = 1; round < ranks; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      drawing.receive(rank, (rank - 1 + ranks) % ranks, block(rank - round - 1), Delivery::combine);
      drawing.send(rank, (rank + 1) % ranks, block(rank - round));
      drawing.wait(rank);
    }
  }
  return drawing.finish();
}

/// Every rank sends each other rank its block; one exchange after the other.
Schedule pairwise(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  const Blocks blocks = Blocks::of_vector(workload);
  const int ranks = workload.ranks;
  for (int round = 1; round < ranks; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int to = (rank + round) % ranks;
      drawing.receive(rank, (rank - round + ranks) % ranks, blocks.range(rank, rank + 1),
                      Delivery::combine);
      drawing.send(rank, to, blocks.range(to, to + 1));
      drawing.wait(rank);
    }
  }
  return drawing.finish();
}

}  // namespace

Family reduce_scatter_family() {
  return {{"recursive_halving", {"ompi_basic_recursivehalving"}, recursive_halving_reduce_scatter},
          {"ring", {"ompi_ring"}, ring},
          {"butterfly", {"ompi_butterfly"}, butterfly_reduce_scatter},
          {"pairwise", {"mpich_pair"}, pairwise}};
}

}  // namespace hockney::schedules
