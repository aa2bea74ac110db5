#include "benchmarks/engine/prepared.hpp"

#include <array>

namespace hockney::benchmarks {

Checked check_deliveries(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                         const Checking& checking) {
  Checked checked;
  for (bool is_over = false; !is_over;) {
    operation.refill(checking.seed + static_cast<std::uint64_t>(checked.deliveries), 1);
    operation.ready();
    group.barrier();
    operation.run_batch(1);
    // Nobody may lay out new data before everybody has looked at the old ones: ranks can read each
    // other's memory.
    std::array found{operation.verify() ? 0.0 : 1.0, clock.now() < checking.until ? 0.0 : 1.0};
    group.maximum(found);
    ++checked.deliveries;
    checked.is_good = found[0] == 0;
    const bool is_late = found[1] != 0 && checked.deliveries >= checking.least;
    is_over = !checked.is_good || is_late || checked.deliveries >= checking.most;
  }
  return checked;
}

}  // namespace hockney::benchmarks
