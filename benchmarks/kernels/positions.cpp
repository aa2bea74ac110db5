#include "benchmarks/kernels/positions.hpp"

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks::kernels {

UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions) {
  const int position = positions.at(static_cast<std::size_t>(rank_in(comm)));
  UniqueComm ordered;
  mpi_check(MPI_Comm_split(comm, 0, position, ordered.out()));
  return ordered;
}

}  // namespace hockney::benchmarks::kernels
