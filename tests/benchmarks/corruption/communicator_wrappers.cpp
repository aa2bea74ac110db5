#include "tests/benchmarks/corruption/shim.hpp"

/// Calls that make communicators, before the library's own: what they make becomes another one.
using namespace hockney::benchmarks;
using namespace hockney::benchmarks::shim;

namespace {

void replace(MPI_Comm* made, int color, int key) {
  MPI_Comm other = MPI_COMM_NULL;
  PMPI_Comm_split(*made, color, key, &other);
  PMPI_Comm_free(made);
  *made = other;
}

/// The result of a call that has made a communicator.
int finish_made(int code, MPI_Comm* made) {
  if (active_corruptor() == nullptr || code != MPI_SUCCESS) return code;
  const int rank = rank_in(*made);
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(*made, &topology);
  switch (active_corruptor()->corruption()) {
    case Corruption::missing_rank:
      if (size_of(*made) < 2) break;
      active_corruptor()->note_change();
      replace(made, rank == 0 ? 1 : 0, rank);
      break;
    case Corruption::other_order:
      if (size_of(*made) < 2) break;
      active_corruptor()->note_change();
      replace(made, 0, -rank);
      break;
    case Corruption::no_topology:
      if (topology == MPI_UNDEFINED) break;
      active_corruptor()->note_change();
      replace(made, 0, rank);
      break;
    default:
      break;
  }
  return code;
}

}  // namespace

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return finish_made(PMPI_Comm_dup(comm, made), made);
}

/// It is there when the call has returned.
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return MPI_Comm_dup(comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const int code = PMPI_Comm_split(comm, color, key, made);
  return *made == MPI_COMM_NULL ? code : finish_made(code, made);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  return finish_made(PMPI_Comm_split_type(comm, type, key, info, made), made);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return finish_made(PMPI_Comm_create_group(comm, group, tag, made), made);
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int* lengths, const int* periods,
                    int reorder, MPI_Comm* made) {
  const int code = PMPI_Cart_create(comm, dimensions, lengths, periods, reorder, made);
  return *made == MPI_COMM_NULL ? code : finish_made(code, made);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int sources, const int* source,
                                   const int* source_weights, int destinations,
                                   const int* destination, const int* destination_weights,
                                   MPI_Info info, int reorder, MPI_Comm* made) {
  return finish_made(
      PMPI_Dist_graph_create_adjacent(comm, sources, source, source_weights, destinations,
                                      destination, destination_weights, info, reorder, made),
      made);
}

}  // extern "C"
