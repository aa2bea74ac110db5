#pragma once

#include <cstdint>
#include <vector>

#include "models/schedules/schedule.hpp"

namespace hockney::schedules {

/// Part `index` of `parts` of `slots`; sizes differ by at most one slot, larger parts first.
Slots even_part(const Slots& slots, std::int64_t parts, std::int64_t index);

/// Part `index` of slots divided into `parts` of ceil(count/parts); the last ones may be short or
/// empty.
Slots ceiling_part(const Slots& slots, std::int64_t parts, std::int64_t index);

/// The parts `first` to `last` (not included) of even_part in one range.
Slots even_parts(const Slots& slots, std::int64_t parts, std::int64_t first, std::int64_t last);

/// The whole vector of a workload.
Slots whole(const Workload& workload);

/// The segments of a vector, at least one.
std::vector<Slots> segments_of(const Workload& workload);

/// The largest power of two that is at most `ranks`.
int power_below(int ranks);

bool is_power_of_two(int ranks);

/// Every block goes round the ring twice: once to be combined, once to be known to all. Segmented:
/// blocks are combined in phases of at most one segment each.
Schedule allreduce_ring(const Workload& workload);
Schedule allreduce_segmented_ring(const Workload& workload);

/// Any number of ranks brought to a power of two: of the first 2 `extra` ranks, one of each pair of
/// neighbours stands aside.
struct Fold {
  int ranks = 1;
  int power = 1;
  int extra = 0;  ///< pairs, one of which stands aside

  explicit Fold(int all);

  /// The rank of member `member` of the power of two: of a pair the odd one.
  [[nodiscard]] int odd(int member) const {
    return member < extra ? 2 * member + 1 : member + extra;
  }
  /// The same, of a pair the even one.
  [[nodiscard]] int even(int member) const { return member < extra ? 2 * member : member + extra; }
};

}  // namespace hockney::schedules
