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
Delivery given(const void* send, const Delivery& own) {
  return send == MPI_IN_PLACE ? own : received(const_cast<void*>(send), own.count, own.type);
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

#define HOCKNEY_COLLECTIVE(name, lower, parameters, arguments, delivery)                  \
  int HOCKNEY_INIT(name)(HOCKNEY_LIST parameters, MPI_Info info, MPI_Request * request) { \
    const int code = HOCKNEY_REAL_INIT(name)(HOCKNEY_LIST arguments, info, request);      \
    return keep(code, *request, nothing(MPI_BYTE), delivery);                             \
  }
#define HOCKNEY_REDUCTION(name, lower, parameters, arguments, contributed, delivery)      \
  int HOCKNEY_INIT(name)(HOCKNEY_LIST parameters, MPI_Info info, MPI_Request * request) { \
    const int code = HOCKNEY_REAL_INIT(name)(HOCKNEY_LIST arguments, info, request);      \
    return keep(code, *request, given(send, received contributed), delivery);             \
  }
#include "tests/benchmarks/corruption/collectives.def"

#endif

}  // extern "C"
