#pragma once

#include "algorithms/schedule.hpp"

namespace hockney {

/// Reduce-scatter by recursive halving, then a gather to the root, or an allgather (Rabenseifner
/// 2004).
Schedule reduce_rabenseifner(const Workload& workload);
Schedule allreduce_rabenseifner(const Workload& workload);

}  // namespace hockney
