#include "algorithms/ring.hpp"

#include <algorithm>

#include "algorithms/division.hpp"
#include "algorithms/drawing.hpp"

namespace hockney {
namespace {

constexpr Bytes usual_segment{1 << 20};  // coll_tuned_allreduce_algorithm_segmentsize for the ring

/// Phase `phase` of `phases` of block `block`, which wraps round.
Slots block_phase(const Drawing& drawing, int block, std::int64_t phases, std::int64_t phase) {
  const int ranks = drawing.ranks();
  const Slots slots =
      even_part(whole(drawing.workload()), ranks, ((block % ranks) + ranks) % ranks);
  return even_part(slots, phases, phase);
}

Schedule ring(const Workload& workload, std::int64_t phases) {
  Drawing drawing = draw_vector(workload);
  const int ranks = workload.ranks;
  const auto round = [&](int shift, std::int64_t of, std::int64_t phase, Delivery delivery) {
    for (int rank = 0; rank < ranks; ++rank) {
      drawing.receive(rank, (rank - 1 + ranks) % ranks,
                      block_phase(drawing, rank + shift - 1, of, phase), delivery);
      drawing.send(rank, (rank + 1) % ranks, block_phase(drawing, rank + shift, of, phase));
      drawing.wait(rank);
    }
  };
  for (std::int64_t phase = 0; phase < phases; ++phase) {
    for (int k = 0; k < ranks - 1; ++k) round(-k, phases, phase, Delivery::combine);
  }
  for (int k = 0; k < ranks - 1; ++k) round(1 - k, 1, 0, Delivery::replace);
  return drawing.finish();
}

}  // namespace

Schedule allreduce_ring(const Workload& workload) { return ring(workload, 1); }

Schedule allreduce_segmented_ring(const Workload& workload) {
  const Bytes segment = workload.segment.value > 0 ? workload.segment : usual_segment;
  const std::int64_t elements = std::max<std::int64_t>(segment.value / workload.element_bytes, 1);
  const std::int64_t largest = even_part(whole(workload), workload.ranks, 0).count;
  return ring(workload, std::max<std::int64_t>((largest + elements - 1) / elements, 1));
}

}  // namespace hockney
