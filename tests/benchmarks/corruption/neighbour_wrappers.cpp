#include <array>

#include "tests/benchmarks/corruption/shim.hpp"

/// Neighbourhood collectives, before the library's own. A block arrives from every neighbour there
/// is; the places of those there are not are nobody's.
using namespace hockney::benchmarks::shim;

namespace {

/// Calls take(delivery) for the block of every neighbour there is; `place_of` says where the one at
/// a place begins [B].
template <class PlaceOf, class Take>
void for_blocks(const Delivery& block, MPI_Comm plane, PlaceOf place_of, Take take) {
  int dimensions = 0;
  PMPI_Cartdim_get(plane, &dimensions);
  auto* first = static_cast<std::byte*>(block.buffer);
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    std::array<int, 2> neighbours{};
    PMPI_Cart_shift(plane, dimension, 1, &neighbours[0], &neighbours[1]);
    for (int side = 0; side < 2; ++side) {
      if (neighbours[static_cast<std::size_t>(side)] == MPI_PROC_NULL) continue;
      take(Delivery{first + place_of(2 * dimension + side), block.count, block.type});
    }
  }
}

MPI_Aint spacing_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower_bound, &extent);
  return extent;
}

/// Where the blocks of each kind of call begin [B].
auto one_after_the_other(const Delivery& block) {
  return [step = block.count * spacing_of(block.type)](int place) { return place * step; };
}
auto displaced(const int* displacements, MPI_Datatype type) {
  return [displacements, extent = spacing_of(type)](int place) {
    return displacements[place] * extent;
  };
}
auto offset(const MPI_Aint* offsets) {
  return [offsets](int place) { return offsets[place]; };
}

template <class PlaceOf>
int finish_blocks(int code, const Delivery& block, MPI_Comm plane, PlaceOf place_of) {
  for_blocks(block, plane, place_of, [&](const Delivery& one) { finish(code, one); });
  return code;
}

template <class PlaceOf>
int begin_blocks(int code, MPI_Request request, const Delivery& block, MPI_Comm plane,
                 PlaceOf place_of) {
  for_blocks(block, plane, place_of, [&](const Delivery& one) { begin(code, request, one); });
  return code;
}

}  // namespace

extern "C" {

int MPI_Neighbor_allgather(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                           int count, MPI_Datatype type, MPI_Comm plane) {
  const int code = PMPI_Neighbor_allgather(send, sent, send_type, buffer, count, type, plane);
  return finish_blocks(code, {buffer, count, type}, plane,
                       one_after_the_other({buffer, count, type}));
}

int MPI_Neighbor_allgatherv(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                            const int* counts, const int* displacements, MPI_Datatype type,
                            MPI_Comm plane) {
  const int code =
      PMPI_Neighbor_allgatherv(send, sent, send_type, buffer, counts, displacements, type, plane);
  return finish_blocks(code, {buffer, counts[0], type}, plane, displaced(displacements, type));
}

int MPI_Neighbor_alltoall(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                          int count, MPI_Datatype type, MPI_Comm plane) {
  const int code = PMPI_Neighbor_alltoall(send, sent, send_type, buffer, count, type, plane);
  return finish_blocks(code, {buffer, count, type}, plane,
                       one_after_the_other({buffer, count, type}));
}

int MPI_Neighbor_alltoallv(const void* send, const int* sent, const int* send_displacements,
                           MPI_Datatype send_type, void* buffer, const int* counts,
                           const int* displacements, MPI_Datatype type, MPI_Comm plane) {
  const int code = PMPI_Neighbor_alltoallv(send, sent, send_displacements, send_type, buffer,
                                           counts, displacements, type, plane);
  return finish_blocks(code, {buffer, counts[0], type}, plane, displaced(displacements, type));
}

int MPI_Neighbor_alltoallw(const void* send, const int* sent, const MPI_Aint* send_offsets,
                           const MPI_Datatype* send_types, void* buffer, const int* counts,
                           const MPI_Aint* offsets, const MPI_Datatype* types, MPI_Comm plane) {
  const int code = PMPI_Neighbor_alltoallw(send, sent, send_offsets, send_types, buffer, counts,
                                           offsets, types, plane);
  return finish_blocks(code, {buffer, counts[0], types[0]}, plane, offset(offsets));
}

int MPI_Ineighbor_allgather(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                            int count, MPI_Datatype type, MPI_Comm plane, MPI_Request* request) {
  const int code =
      PMPI_Ineighbor_allgather(send, sent, send_type, buffer, count, type, plane, request);
  return begin_blocks(code, *request, {buffer, count, type}, plane,
                      one_after_the_other({buffer, count, type}));
}

int MPI_Ineighbor_allgatherv(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                             const int* counts, const int* displacements, MPI_Datatype type,
                             MPI_Comm plane, MPI_Request* request) {
  const int code = PMPI_Ineighbor_allgatherv(send, sent, send_type, buffer, counts, displacements,
                                             type, plane, request);
  return begin_blocks(code, *request, {buffer, counts[0], type}, plane,
                      displaced(displacements, type));
}

int MPI_Ineighbor_alltoall(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                           int count, MPI_Datatype type, MPI_Comm plane, MPI_Request* request) {
  const int code =
      PMPI_Ineighbor_alltoall(send, sent, send_type, buffer, count, type, plane, request);
  return begin_blocks(code, *request, {buffer, count, type}, plane,
                      one_after_the_other({buffer, count, type}));
}

int MPI_Ineighbor_alltoallv(const void* send, const int* sent, const int* send_displacements,
                            MPI_Datatype send_type, void* buffer, const int* counts,
                            const int* displacements, MPI_Datatype type, MPI_Comm plane,
                            MPI_Request* request) {
  const int code = PMPI_Ineighbor_alltoallv(send, sent, send_displacements, send_type, buffer,
                                            counts, displacements, type, plane, request);
  return begin_blocks(code, *request, {buffer, counts[0], type}, plane,
                      displaced(displacements, type));
}

int MPI_Ineighbor_alltoallw(const void* send, const int* sent, const MPI_Aint* send_offsets,
                            const MPI_Datatype* send_types, void* buffer, const int* counts,
                            const MPI_Aint* offsets, const MPI_Datatype* types, MPI_Comm plane,
                            MPI_Request* request) {
  const int code = PMPI_Ineighbor_alltoallw(send, sent, send_offsets, send_types, buffer, counts,
                                            offsets, types, plane, request);
  return begin_blocks(code, *request, {buffer, counts[0], types[0]}, plane, offset(offsets));
}

}  // extern "C"
