#include "tests/benchmarks/corruption/shim.hpp"

/// Every nonblocking collective, before the library's own.
using namespace hockney::benchmarks::shim;

extern "C" {

int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  const int code = PMPI_Ibcast(buffer, count, type, root, comm, request);
  return rank_in(comm) == root ? code : begin(code, *request, {buffer, count, type});
}

int MPI_Iallreduce(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  const void* given = contribution(send, buffer, count, type);
  const int code = PMPI_Iallreduce(given, buffer, count, type, op, comm, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_Ireduce(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  const void* given = contribution(send, buffer, count, type);
  const int code = PMPI_Ireduce(given, buffer, count, type, op, root, comm, request);
  return rank_in(comm) == root ? begin(code, *request, {buffer, count, type}) : code;
}

int MPI_Ireduce_scatter(const void* send, void* buffer, const int* counts, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const void* given = contribution(send, buffer, sum_of(counts, comm), type);
  const int code = PMPI_Ireduce_scatter(given, buffer, counts, type, op, comm, request);
  return begin(code, *request, {buffer, counts[rank_in(comm)], type});
}

int MPI_Igather(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Igather(send, sent, send_type, buffer, count, type, root, comm, request);
  if (rank_in(comm) != root) return code;
  return begin(code, *request, {buffer, count * size_of(comm), type});
}

int MPI_Iscatter(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                 MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Iscatter(send, sent, send_type, buffer, count, type, root, comm, request);
  return buffer == MPI_IN_PLACE ? code : begin(code, *request, {buffer, count, type});
}

int MPI_Iallgather(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                   MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Iallgather(send, sent, send_type, buffer, count, type, comm, request);
  return begin(code, *request, {buffer, count * size_of(comm), type});
}

int MPI_Iallgatherv(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                    const int* counts, const int* displacements, MPI_Datatype type, MPI_Comm comm,
                    MPI_Request* request) {
  const int code =
      PMPI_Iallgatherv(send, sent, send_type, buffer, counts, displacements, type, comm, request);
  return begin(code, *request, {buffer, sum_of(counts, comm), type});
}

int MPI_Ialltoall(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                  MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Ialltoall(send, sent, send_type, buffer, count, type, comm, request);
  return begin(code, *request, {buffer, count * size_of(comm), type});
}

int MPI_Ialltoallv(const void* send, const int* sent, const int* send_displacements,
                   MPI_Datatype send_type, void* buffer, const int* counts,
                   const int* displacements, MPI_Datatype type, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Ialltoallv(send, sent, send_displacements, send_type, buffer, counts,
                                   displacements, type, comm, request);
  return begin(code, *request, {buffer, sum_of(counts, comm), type});
}

int MPI_Ialltoallw(const void* send, const int* sent, const int* send_displacements,
                   const MPI_Datatype* send_types, void* buffer, const int* counts,
                   const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Ialltoallw(send, sent, send_displacements, send_types, buffer, counts,
                                   displacements, types, comm, request);
  return begin(code, *request, {buffer, sum_of(counts, comm), types[0]});
}

int MPI_Igatherv(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                 const int* counts, const int* displacements, MPI_Datatype type, int root,
                 MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Igatherv(send, sent, send_type, buffer, counts, displacements, type, root,
                                 comm, request);
  if (rank_in(comm) != root) return code;
  return begin(code, *request, {buffer, sum_of(counts, comm), type});
}

int MPI_Iscatterv(const void* send, const int* counts, const int* displacements,
                  MPI_Datatype send_type, void* buffer, int count, MPI_Datatype type, int root,
                  MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Iscatterv(send, counts, displacements, send_type, buffer, count, type, root,
                                  comm, request);
  return buffer == MPI_IN_PLACE ? code : begin(code, *request, {buffer, count, type});
}

int MPI_Ireduce_scatter_block(const void* send, void* buffer, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const void* given = contribution(send, buffer, count * size_of(comm), type);
  const int code = PMPI_Ireduce_scatter_block(given, buffer, count, type, op, comm, request);
  return begin(code, *request, {buffer, count, type});
}

}  // extern "C"
