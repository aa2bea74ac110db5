#include "benchmarks/engine/clock.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::benchmarks {

Clock examine(TickClock& clock, int readings) {
  std::vector<double> steps;
  steps.reserve(static_cast<std::size_t>(readings));
  for (std::int64_t last = clock.now(); readings > 0; --readings) {
    const std::int64_t now = clock.now();
    steps.push_back(static_cast<double>(now - last) * clock.seconds_per_tick());
    last = now;
  }
  std::ranges::sort(steps);
  const auto positive = std::ranges::upper_bound(steps, 0.0);
  return {.source = clock.source(),
          .resolution_seconds = positive == steps.end() ? 0.0 : *positive,
          .cost_seconds = median(steps).value_or(0.0)};
}

Clock coarsest(Clock own, RankGroup& group) {
  std::array facts{own.resolution_seconds, own.cost_seconds};
  group.maximum(facts);
  own.resolution_seconds = facts[0];
  own.cost_seconds = facts[1];
  return own;
}

}  // namespace hockney::benchmarks
