#include "models/schedules/common_steps.hpp"

#include <algorithm>

#include "models/schedules/traffic.hpp"

namespace hockney::schedules {

Slots even_part(const Slots& slots, std::int64_t parts, std::int64_t index) {
  return even_parts(slots, parts, index, index + 1);
}

Slots even_parts(const Slots& slots, std::int64_t parts, std::int64_t first, std::int64_t last) {
  const std::int64_t least = slots.count / parts;
  const std::int64_t larger = slots.count % parts;
  const auto begin = [&](std::int64_t part) { return part * least + std::min(part, larger); };
  return {.first = slots.first + begin(first), .count = begin(last) - begin(first)};
}

Slots ceiling_part(const Slots& slots, std::int64_t parts, std::int64_t index) {
  const std::int64_t size = (slots.count + parts - 1) / parts;
  const std::int64_t begin = std::min(index * size, slots.count);
  return {.first = slots.first + begin, .count = std::min(size, slots.count - begin)};
}

Slots whole(const Workload& workload) {
  return {.first = 0, .count = workload.bytes.value / workload.element_bytes};
}

std::vector<Slots> segments_of(const Workload& workload) {
  const Slots all = whole(workload);
  const std::int64_t wanted =
      std::max<std::int64_t>(workload.segment.value / workload.element_bytes, 1);
  if (workload.segment.value <= 0 || wanted >= all.count) return {all};
  std::vector<Slots> segments;
  for (std::int64_t first = 0; first < all.count; first += wanted) {
    segments.push_back({.first = first, .count = std::min(wanted, all.count - first)});
  }
  return segments;
}

int power_below(int ranks) {
  int power = 1;
  while (power <= ranks / 2) power *= 2;
  return power;
}

bool is_power_of_two(int ranks) { return power_below(ranks) == ranks; }

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

Fold::Fold(int all) : ranks(all), power(power_below(all)), extra(all - power) {}

}  // namespace hockney::schedules
