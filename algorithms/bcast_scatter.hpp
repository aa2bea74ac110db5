#pragma once

#include "algorithms/schedule.hpp"

namespace hockney {

/// A binomial scatter, then an allgather by recursive doubling or in a ring.
Schedule bcast_scatter_allgather(const Workload& workload);
Schedule bcast_scatter_ring(const Workload& workload);

}  // namespace hockney
