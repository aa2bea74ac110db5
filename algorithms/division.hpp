#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedule.hpp"

namespace hockney {

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

}  // namespace hockney
