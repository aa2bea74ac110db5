#include "algorithms/division.hpp"

#include <algorithm>

namespace hockney {

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

}  // namespace hockney
