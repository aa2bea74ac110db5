#include "benchmarks/harness/persistent.hpp"

#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rooted_data.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage): only a macro can put names together
#ifdef HOCKNEY_HAVE_MPIX_PERSISTENT
#include <mpi-ext.h>
#define HOCKNEY_INIT(operation) MPIX_##operation##_init
#elif defined(HOCKNEY_HAVE_PERSISTENT)
#define HOCKNEY_INIT(operation) MPI_##operation##_init
#endif
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace hockney {

#ifdef HOCKNEY_INIT

std::optional<std::string> persistent_obstacle(const Point& point) {
  if (root_rotates(point)) return "a persistent request has one root";
  const auto cache = point.parameters.find("cache");
  if (cache == point.parameters.end() || cache->second == "hot") return std::nullopt;
  return "a persistent request has one place for its buffers";
}

void barrier_init(MPI_Comm comm, MPI_Request* request) {
  mpi_check(HOCKNEY_INIT(Barrier)(comm, MPI_INFO_NULL, request));
}

void bcast_init(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
                MPI_Request* request) {
  mpi_check(HOCKNEY_INIT(Bcast)(data, count, type, root, comm, MPI_INFO_NULL, request));
}

void reduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Request* request) {
  mpi_check(
      HOCKNEY_INIT(Reduce)(send, receive, count, type, op, root, comm, MPI_INFO_NULL, request));
}

void allreduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request* request) {
  mpi_check(HOCKNEY_INIT(Allreduce)(send, receive, count, type, op, comm, MPI_INFO_NULL, request));
}

void allgather_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Comm comm,
                    MPI_Request* request) {
  mpi_check(HOCKNEY_INIT(Allgather)(send, count, type, receive, count, type, comm, MPI_INFO_NULL,
                                    request));
}

void alltoall_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Comm comm,
                   MPI_Request* request) {
  mpi_check(HOCKNEY_INIT(Alltoall)(send, count, type, receive, count, type, comm, MPI_INFO_NULL,
                                   request));
}

#else

std::optional<std::string> persistent_obstacle(const Point&) {
  return "this MPI has no persistent collectives, which came with MPI 4";
}

// Never called: every point has an obstacle.
void barrier_init(MPI_Comm, MPI_Request*) {}
void bcast_init(void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*) {}
void reduce_init(const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request*) {}
void allreduce_init(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*) {}
void allgather_init(const void*, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*) {}
void alltoall_init(const void*, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*) {}

#endif

}  // namespace hockney
