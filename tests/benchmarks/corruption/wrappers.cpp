#include <mpi.h>

#include <algorithm>
#include <vector>

#include "tests/benchmarks/corruption/corruptor.hpp"

/// Every function by which operations receive, before the library's own.
namespace {

using hockney::active_corruptor;
using hockney::Delivery;

/// A receive under way.
struct Pending {
  MPI_Request request;
  Delivery delivery;
};

std::vector<Pending>& pending() {
  static std::vector<Pending> all;
  return all;
}

/// The result of a call that has filled a buffer.
int finish(int code, const Delivery& delivery) {
  if (active_corruptor() != nullptr) active_corruptor()->delivered(delivery);
  return code;
}

/// Delivers what the requests stood for that have been waited for.
void finish_all(const std::vector<MPI_Request>& requests) {
  if (active_corruptor() == nullptr) return;
  for (MPI_Request request : requests) {
    const auto found = std::ranges::find(pending(), request, &Pending::request);
    if (found == pending().end()) continue;
    active_corruptor()->delivered(found->delivery);
    pending().erase(found);
  }
}

const void* contribution(const void* send, int count, MPI_Datatype type) {
  if (active_corruptor() == nullptr) return send;
  return active_corruptor()->contribution(send, count, type);
}

}  // namespace

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
  if (active_corruptor() != nullptr) pending().push_back({*request, {buffer, count, type}});
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const std::vector<MPI_Request> waited{*request};
  const int code = PMPI_Wait(request, status);
  finish_all(waited);
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const std::vector<MPI_Request> waited(requests, requests + count);
  const int code = PMPI_Waitall(count, requests, statuses);
  finish_all(waited);
  return code;
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = PMPI_Bcast(buffer, count, type, root, comm);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank == root ? code : finish(code, {buffer, count, type});
}

int MPI_Allreduce(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  return finish(PMPI_Allreduce(contribution(send, count, type), buffer, count, type, op, comm),
                {buffer, count, type});
}

int MPI_Reduce(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  const int code =
      PMPI_Reduce(contribution(send, count, type), buffer, count, type, op, root, comm);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank == root ? finish(code, {buffer, count, type}) : code;
}

}  // extern "C"
