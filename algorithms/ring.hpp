#pragma once

#include "algorithms/schedule.hpp"

namespace hockney {

/// Every block goes round the ring twice: once to be combined, once to be known to all. Segmented:
/// blocks are combined in phases of at most one segment each.
Schedule allreduce_ring(const Workload& workload);
Schedule allreduce_segmented_ring(const Workload& workload);

}  // namespace hockney
