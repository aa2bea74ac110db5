#pragma once

#include <vector>

#include "core/record.hpp"

namespace hockney {

/// How many of the first epochs of a launch were slower than it settled at: pages, caches,
/// connections and clock frequency take a moment. The medians of all points' visits, each as the
/// logarithm of its ratio to the Hodges-Lehmann centre of the point's visits in the second half of
/// the launch, are pooled by epoch; an epoch is warm-up while its median is above zero by more than
/// five robust standard deviations (1.4826 MAD) of the epochs of the second half, and by more than
/// one per cent. At most the first half is warm-up; none in a launch of fewer than eight epochs,
/// where there is no telling. Disturbed visits are not asked.
int warm_up_epochs(const std::vector<Series>& series);

}  // namespace hockney
