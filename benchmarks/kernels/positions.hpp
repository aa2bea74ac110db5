#pragma once

#include <mpi.h>
#include <vector>

#include "benchmarks/harness/handle.hpp"

namespace hockney::benchmarks::kernels {

/// A communicator in which each rank has its position as its rank. Collective.
UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions);

}  // namespace hockney::benchmarks::kernels
