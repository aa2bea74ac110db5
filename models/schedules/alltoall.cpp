#include <algorithm>

#include "models/schedules/family.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

// Slot i of a rank is the block for the i-th rank after it, and later the one from the i-th before.

void exchange(Drawing& drawing, int rank, int distance, const Slots& slots) {
  const int ranks = drawing.ranks();
  drawing.receive(rank, (rank - distance + ranks) % ranks, slots);
  drawing.send(rank, (rank + distance) % ranks, slots);
}

/// At most `outstanding` exchanges under way.
Schedule batches(const Workload& workload, int outstanding) {
  Drawing drawing = draw_blocks(workload);
  for (int rank = 0; rank < workload.ranks; ++rank) {
    for (int distance = 1; distance < workload.ranks; ++distance) {
      exchange(drawing, rank, distance, {.first = distance, .count = 1});
      if (distance % outstanding == 0) drawing.wait(rank);
    }
    drawing.wait(rank);
  }
  return drawing.finish();
}

Schedule linear_alltoall(const Workload& workload) { return batches(workload, workload.ranks); }

Schedule linear_sync(const Workload& workload) {
  return batches(workload, workload.fanout > 0 ? workload.fanout : workload.ranks);
}

Schedule pairwise(const Workload& workload) { return batches(workload, 1); }

/// Bruck et al. 1997: blocks travel by the powers of two in their distance.
Schedule modified_bruck(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      exchange(drawing, rank, distance,
               {.first = distance,
                .count = ranks - distance,
                .run = distance,
                .stride = 2 * static_cast<std::int64_t>(distance)});
      drawing.wait(rank);
    }
  }
  return drawing.finish();
}

}  // namespace

Family alltoall_family() {
  return {{"linear", {"basic_linear", "scattered"}, linear_alltoall},
          {"pairwise", {"ring"}, pairwise},
          {"modified_bruck", {"bruck", "brucks"}, modified_bruck},
          {"linear_sync", {}, linear_sync},
          {"two_proc", {}, pairwise, not_two_ranks}};
}

}  // namespace hockney::schedules
