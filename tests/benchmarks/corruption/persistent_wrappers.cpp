#include <utility>

#include "tests/benchmarks/corruption/shim.hpp"

#ifdef HOCKNEY_HAVE_MPIX_PERSISTENT
#include <mpi-ext.h>
#define HOCKNEY_INIT(operation) MPIX_##operation##_init
#define HOCKNEY_REAL_INIT(operation) PMPIX_##operation##_init
#elif defined(HOCKNEY_HAVE_PERSISTENT)
#define HOCKNEY_INIT(operation) MPI_##operation##_init
#define HOCKNEY_REAL_INIT(operation) PMPI_##operation##_init
#endif

/// Persistent messages and collectives, before the library's own: what a request will deliver is
/// known from its making, and delivered whenever it was started and waited for.
using namespace hockney::benchmarks::shim;

namespace {

struct Prepared {
  MPI_Request request;
  Delivery given;  ///< to a reduction; of nothing otherwise
  Delivery delivery;
  bool was_started = false;
};

std::vector<Prepared>& prepared() {
  static std::vector<Prepared> all;
  return all;
}

int keep(int code, MPI_Request request, const Delivery& given, const Delivery& delivery) {
  std::erase_if(prepared(), [&](const Prepared& old) { return old.request == request; });
  prepared().push_back({.request = request, .given = given, .delivery = delivery});
  return code;
}

#ifdef HOCKNEY_INIT
/// In place a rank gives what is in its receive buffer.
Delivery given(const void* send, const Delivery& received) {
  if (send == MPI_IN_PLACE) return received;
  return {const_cast<void*>(send), received.count, received.type};
}

#endif

Delivery nothing(MPI_Datatype type) { return {nullptr, 0, type}; }

#ifdef HOCKNEY_INIT
/// What only the root receives.
int keep_at(int root, MPI_Comm comm, int code, MPI_Request request, const Delivery& delivery) {
  const bool is_root = rank_in(comm) == root;
  return keep(code, request, nothing(delivery.type), is_root ? delivery : nothing(delivery.type));
}

/// In place the root of a scatter receives nothing.
Delivery scattered(const Delivery& delivery) {
  return delivery.buffer == MPI_IN_PLACE ? nothing(delivery.type) : delivery;
}

#endif

}  // namespace

extern "C" {

int MPI_Start(MPI_Request* request) {
  const auto found = std::ranges::find(prepared(), *request, &Prepared::request);
  if (found == prepared().end()) return PMPI_Start(request);
  const bool is_again = std::exchange(found->was_started, true);
  if (active_corruptor() != nullptr) {
    if (is_again && !active_corruptor()->lets_restart()) return MPI_SUCCESS;
    if (found->given.count > 0) active_corruptor()->poison_contribution(found->given);
    begin(MPI_SUCCESS, *request, found->delivery);
  }
  return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request* requests) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i) code = MPI_Start(&requests[i]);
  return code;
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Send_init(data, count, type, to, tag, comm, request);
  return keep(code, *request, nothing(type), nothing(type));
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
  return keep(code, *request, nothing(type), {buffer, count, type});
}

#ifdef HOCKNEY_HAVE_PARTITIONED

int MPI_Psend_init(const void* data, int partitions, MPI_Count count, MPI_Datatype type, int to,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code = PMPI_Psend_init(data, partitions, count, type, to, tag, comm, info, request);
  return keep(code, *request, nothing(type), nothing(type));
}

int MPI_Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int from,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code = PMPI_Precv_init(buffer, partitions, count, type, from, tag, comm, info, request);
  return keep(code, *request, nothing(type), {buffer, partitions * static_cast<int>(count), type});
}

#endif

#ifdef HOCKNEY_INIT

int HOCKNEY_INIT(Bcast)(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
                        MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Bcast)(data, count, type, root, comm, info, request);
  const int received = rank_in(comm) == root ? 0 : count;
  return keep(code, *request, nothing(type), {data, received, type});
}

int HOCKNEY_INIT(Reduce)(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
                         int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code =
      HOCKNEY_REAL_INIT(Reduce)(send, buffer, count, type, op, root, comm, info, request);
  const int received = rank_in(comm) == root ? count : 0;
  return keep(code, *request, given(send, {buffer, count, type}), {buffer, received, type});
}

int HOCKNEY_INIT(Allreduce)(const void* send, void* buffer, int count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Allreduce)(send, buffer, count, type, op, comm, info, request);
  return keep(code, *request, given(send, {buffer, count, type}), {buffer, count, type});
}

int HOCKNEY_INIT(Allgather)(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                            int count, MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request) {
  const int code =
      HOCKNEY_REAL_INIT(Allgather)(send, sent, send_type, buffer, count, type, comm, info, request);
  return keep(code, *request, nothing(type), {buffer, count * size_of(comm), type});
}

int HOCKNEY_INIT(Alltoall)(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                           int count, MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                           MPI_Request* request) {
  const int code =
      HOCKNEY_REAL_INIT(Alltoall)(send, sent, send_type, buffer, count, type, comm, info, request);
  return keep(code, *request, nothing(type), {buffer, count * size_of(comm), type});
}

int HOCKNEY_INIT(Allgatherv)(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                             const int* counts, const int* displacements, MPI_Datatype type,
                             MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Allgatherv)(send, sent, send_type, buffer, counts,
                                                 displacements, type, comm, info, request);
  return keep(code, *request, nothing(type), {buffer, sum_of(counts, comm), type});
}

int HOCKNEY_INIT(Alltoallv)(const void* send, const int* sent, const int* send_displacements,
                            MPI_Datatype send_type, void* buffer, const int* counts,
                            const int* displacements, MPI_Datatype type, MPI_Comm comm,
                            MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Alltoallv)(send, sent, send_displacements, send_type, buffer,
                                                counts, displacements, type, comm, info, request);
  return keep(code, *request, nothing(type), {buffer, sum_of(counts, comm), type});
}

int HOCKNEY_INIT(Alltoallw)(const void* send, const int* sent, const int* send_displacements,
                            const MPI_Datatype* send_types, void* buffer, const int* counts,
                            const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                            MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Alltoallw)(send, sent, send_displacements, send_types, buffer,
                                                counts, displacements, types, comm, info, request);
  return keep(code, *request, nothing(types[0]), {buffer, sum_of(counts, comm), types[0]});
}

int HOCKNEY_INIT(Gather)(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                         int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                         MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Gather)(send, sent, send_type, buffer, count, type, root, comm,
                                             info, request);
  return keep_at(root, comm, code, *request, {buffer, count * size_of(comm), type});
}

int HOCKNEY_INIT(Gatherv)(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                          const int* counts, const int* displacements, MPI_Datatype type, int root,
                          MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Gatherv)(send, sent, send_type, buffer, counts, displacements,
                                              type, root, comm, info, request);
  return keep_at(root, comm, code, *request, {buffer, sum_of(counts, comm), type});
}

int HOCKNEY_INIT(Scatter)(const void* send, int sent, MPI_Datatype send_type, void* buffer,
                          int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                          MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Scatter)(send, sent, send_type, buffer, count, type, root,
                                              comm, info, request);
  return keep(code, *request, nothing(type), scattered({buffer, count, type}));
}

int HOCKNEY_INIT(Scatterv)(const void* send, const int* counts, const int* displacements,
                           MPI_Datatype send_type, void* buffer, int count, MPI_Datatype type,
                           int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const int code = HOCKNEY_REAL_INIT(Scatterv)(send, counts, displacements, send_type, buffer,
                                               count, type, root, comm, info, request);
  return keep(code, *request, nothing(type), scattered({buffer, count, type}));
}

int HOCKNEY_INIT(Reduce_scatter)(const void* send, void* buffer, const int* counts,
                                 MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                 MPI_Request* request) {
  const int code =
      HOCKNEY_REAL_INIT(Reduce_scatter)(send, buffer, counts, type, op, comm, info, request);
  return keep(code, *request, given(send, {buffer, sum_of(counts, comm), type}),
              {buffer, counts[rank_in(comm)], type});
}

int HOCKNEY_INIT(Reduce_scatter_block)(const void* send, void* buffer, int count, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm, MPI_Info info,
                                       MPI_Request* request) {
  const int code =
      HOCKNEY_REAL_INIT(Reduce_scatter_block)(send, buffer, count, type, op, comm, info, request);
  return keep(code, *request, given(send, {buffer, count * size_of(comm), type}),
              {buffer, count, type});
}

#endif

}  // extern "C"
