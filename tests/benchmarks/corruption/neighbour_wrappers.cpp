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

/// Both forms of one: its block of each neighbour, and where these blocks begin.
#define HOCKNEY_NEIGHBOURS(name, parameters, arguments, block, places)                        \
  int MPI_Neighbor_##name(HOCKNEY_LIST parameters, MPI_Comm plane) {                          \
    return finish_blocks(PMPI_Neighbor_##name(HOCKNEY_LIST arguments, plane), received block, \
                         plane, places);                                                      \
  }                                                                                           \
  int MPI_Ineighbor_##name(HOCKNEY_LIST parameters, MPI_Comm plane, MPI_Request* request) {   \
    const int code = PMPI_Ineighbor_##name(HOCKNEY_LIST arguments, plane, request);           \
    return begin_blocks(code, *request, received block, plane, places);                       \
  }

HOCKNEY_NEIGHBOURS(allgather,
                   (const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                    MPI_Datatype type),
                   (send, sent, send_type, buffer, count, type), (buffer, count, type),
                   one_after_the_other(received(buffer, count, type)))
HOCKNEY_NEIGHBOURS(alltoall,
                   (const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                    MPI_Datatype type),
                   (send, sent, send_type, buffer, count, type), (buffer, count, type),
                   one_after_the_other(received(buffer, count, type)))
HOCKNEY_NEIGHBOURS(allgatherv,
                   (const void* send, int sent, MPI_Datatype send_type, void* buffer,
                    const int* counts, const int* displacements, MPI_Datatype type),
                   (send, sent, send_type, buffer, counts, displacements, type),
                   (buffer, counts[0], type), displaced(displacements, type))
HOCKNEY_NEIGHBOURS(alltoallv,
                   (const void* send, const int* sent, const int* send_displacements,
                    MPI_Datatype send_type, void* buffer, const int* counts,
                    const int* displacements, MPI_Datatype type),
                   (send, sent, send_displacements, send_type, buffer, counts, displacements, type),
                   (buffer, counts[0], type), displaced(displacements, type))
HOCKNEY_NEIGHBOURS(alltoallw,
                   (const void* send, const int* sent, const MPI_Aint* send_offsets,
                    const MPI_Datatype* send_types, void* buffer, const int* counts,
                    const MPI_Aint* offsets, const MPI_Datatype* types),
                   (send, sent, send_offsets, send_types, buffer, counts, offsets, types),
                   (buffer, counts[0], types[0]), offset(offsets))

}  // extern "C"
