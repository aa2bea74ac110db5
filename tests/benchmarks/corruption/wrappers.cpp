#include "tests/benchmarks/corruption/shim.hpp"

/// Every function by which operations receive, before the library's own.
using namespace hockney::benchmarks::shim;

extern "C" {

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return finish(PMPI_Recv(buffer, count, type, source, tag, comm, status), {buffer, count, type});
}

int MPI_Sendrecv(const void* send, int sent, MPI_Datatype send_type, int to, int send_tag,
                 void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
  return finish(PMPI_Sendrecv(send, sent, send_type, to, send_tag, buffer, count, type, from, tag,
                              comm, status),
                {buffer, count, type});
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Irecv(buffer, count, type, source, tag, comm, request);
  return begin(code, *request, {buffer, count, type});
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const std::vector<MPI_Request> waited{*request};
  const int code = PMPI_Wait(request, status);
  finish_all(waited);
  return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const std::vector<MPI_Request> tested{*request};
  const int code = PMPI_Test(request, flag, status);
  if (*flag != 0) finish_all(tested);
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitall(count, requests, statuses);
  finish_all(waited);
  return code;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitany(count, requests, index, status);
  if (*index != MPI_UNDEFINED) finish_all({waited[static_cast<std::size_t>(*index)]});
  return code;
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitsome(count, requests, done, indices, statuses);
  for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i) {
    finish_all({waited[static_cast<std::size_t>(indices[i])]});
  }
  return code;
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  const std::vector<MPI_Request> tested(requests, requests + count);
  const int code = PMPI_Testall(count, requests, flag, statuses);
  if (*flag != 0) finish_all(tested);
  return code;
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
              MPI_Status* status) {
  return finish(PMPI_Mrecv(buffer, count, type, message, status), {buffer, count, type});
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int tag, MPI_Comm comm, MPI_Status* status) {
  const int code =
      PMPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, tag, comm, status);
  return finish(code, {buffer, count, type});
}

int MPI_Reduce_local(const void* given, void* buffer, int count, MPI_Datatype type, MPI_Op op) {
  const void* taken = contribution(given, buffer, count, type);
  return finish(PMPI_Reduce_local(taken, buffer, count, type, op), {buffer, count, type});
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = PMPI_Bcast(buffer, count, type, root, comm);
  return rank_in(comm) == root ? code : finish(code, {buffer, count, type});
}

int MPI_Allreduce(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  const void* given = contribution(send, buffer, count, type);
  return finish(PMPI_Allreduce(given, buffer, count, type, op, comm), {buffer, count, type});
}

int MPI_Reduce(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  const void* given = contribution(send, buffer, count, type);
  const int code = PMPI_Reduce(given, buffer, count, type, op, root, comm);
  return rank_in(comm) == root ? finish(code, {buffer, count, type}) : code;
}

int MPI_Scan(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm) {
  const void* given = contribution(send, buffer, count, type);
  return finish(PMPI_Scan(given, buffer, count, type, op, comm), {buffer, count, type});
}

int MPI_Exscan(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  const void* given = contribution(send, buffer, count, type);
  const int code = PMPI_Exscan(given, buffer, count, type, op, comm);
  return rank_in(comm) == 0 ? code : finish(code, {buffer, count, type});
}

int MPI_Reduce_scatter(const void* send, void* buffer, const int* counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm) {
  const void* given = contribution(send, buffer, sum_of(counts, comm), type);
  const int code = PMPI_Reduce_scatter(given, buffer, counts, type, op, comm);
  return finish(code, {buffer, counts[rank_in(comm)], type});
}

int MPI_Reduce_scatter_block(const void* send, void* buffer, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm) {
  const void* given = contribution(send, buffer, count * size_of(comm), type);
  const int code = PMPI_Reduce_scatter_block(given, buffer, count, type, op, comm);
  return finish(code, {buffer, count, type});
}

int MPI_Gather(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
               MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = PMPI_Gather(send, sent, send_type, buffer, count, type, root, comm);
  return rank_in(comm) == root ? finish(code, {buffer, count * size_of(comm), type}) : code;
}

int MPI_Gatherv(const void* send, int sent, MPI_Datatype send_type, void* buffer, const int* counts,
                const int* displacements, MPI_Datatype type, int root, MPI_Comm comm) {
  const int code =
      PMPI_Gatherv(send, sent, send_type, buffer, counts, displacements, type, root, comm);
  return rank_in(comm) == root ? finish(code, {buffer, sum_of(counts, comm), type}) : code;
}

int MPI_Scatter(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = PMPI_Scatter(send, sent, send_type, buffer, count, type, root, comm);
  return finish_scatter(code, {buffer, count, type});
}

int MPI_Scatterv(const void* send, const int* counts, const int* displacements,
                 MPI_Datatype send_type, void* buffer, int count, MPI_Datatype type, int root,
                 MPI_Comm comm) {
  const int code =
      PMPI_Scatterv(send, counts, displacements, send_type, buffer, count, type, root, comm);
  return finish_scatter(code, {buffer, count, type});
}

int MPI_Allgather(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                  MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Allgather(send, sent, send_type, buffer, count, type, comm);
  return finish(code, {buffer, count * size_of(comm), type});
}

int MPI_Allgatherv(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                   const int* counts, const int* displacements, MPI_Datatype type, MPI_Comm comm) {
  const int code =
      PMPI_Allgatherv(send, sent, send_type, buffer, counts, displacements, type, comm);
  return finish(code, {buffer, sum_of(counts, comm), type});
}

int MPI_Alltoall(const void* send, int sent, MPI_Datatype send_type, void* buffer, int count,
                 MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Alltoall(send, sent, send_type, buffer, count, type, comm);
  return finish(code, {buffer, count * size_of(comm), type});
}

int MPI_Alltoallv(const void* send, const int* sent, const int* send_displacements,
                  MPI_Datatype send_type, void* buffer, const int* counts, const int* displacements,
                  MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Alltoallv(send, sent, send_displacements, send_type, buffer, counts,
                                  displacements, type, comm);
  return finish(code, {buffer, sum_of(counts, comm), type});
}

int MPI_Alltoallw(const void* send, const int* sent, const int* send_displacements,
                  const MPI_Datatype* send_types, void* buffer, const int* counts,
                  const int* displacements, const MPI_Datatype* types, MPI_Comm comm) {
  const int code = PMPI_Alltoallw(send, sent, send_displacements, send_types, buffer, counts,
                                  displacements, types, comm);
  return finish(code, {buffer, sum_of(counts, comm), types[0]});
}

}  // extern "C"
