#include <array>

#include "tests/benchmarks/corruption/shim.hpp"

/// Neighbourhood collectives, before the library's own. A block arrives from every neighbour there
/// is; the places of those there are not are nobody's.
using namespace hockney::benchmarks::shim;

namespace {

int finish_blocks(int code, void* buffer, int count, MPI_Datatype type, MPI_Comm plane) {
  int dimensions = 0;
  PMPI_Cartdim_get(plane, &dimensions);
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower_bound, &extent);
  auto* block = static_cast<std::byte*>(buffer);
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    std::array<int, 2> neighbours{};
    PMPI_Cart_shift(plane, dimension, 1, &neighbours[0], &neighbours[1]);
    for (const int neighbour : neighbours) {
      if (neighbour != MPI_PROC_NULL) finish(code, {block, count, type});
      block += count * extent;
    }
  }
  return code;
}

}  // namespace

extern "C" {

int MPI_Neighbor_allgather(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                           int count, MPI_Datatype type, MPI_Comm plane) {
  const int code = PMPI_Neighbor_allgather(send, sent, send_type, buffer, count, type, plane);
  return finish_blocks(code, buffer, count, type, plane);
}

int MPI_Neighbor_alltoall(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                          int count, MPI_Datatype type, MPI_Comm plane) {
  const int code = PMPI_Neighbor_alltoall(send, sent, send_type, buffer, count, type, plane);
  return finish_blocks(code, buffer, count, type, plane);
}

}  // extern "C"
