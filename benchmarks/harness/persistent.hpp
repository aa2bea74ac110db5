#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>

#include "benchmarks/harness/catalogue.hpp"

/// Persistent collectives: by MPI 4, or as the extension of Open MPI 4. Each makes a request that
/// MPI_Start begins again and again; collective. Only where there is no persistent_obstacle.
namespace hockney {

/// Why a point cannot be measured with a persistent request: this MPI has none, its root changes,
/// or its buffers move. nullopt when it can.
std::optional<std::string> persistent_obstacle(const Point& point);

void barrier_init(MPI_Comm comm, MPI_Request* request);
void bcast_init(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
                MPI_Request* request);
void reduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Request* request);
void allreduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request* request);
/// Blocks of one length.
void allgather_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Comm comm,
                    MPI_Request* request);
void alltoall_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Comm comm,
                   MPI_Request* request);

/// Begins the operation of a persistent request and waits for its end.
inline void start_and_wait(MPI_Request request) {
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// The first start of a request, whose data are then spoiled again: what verify() finds came with a
/// later start. (That of MPICH 4.0's allgather moves nothing, which the data of the first one hid.)
template <class Data>
void start_first(MPI_Request request, Data& data, std::uint64_t seed) {
  start_and_wait(request);
  data.refill(seed);
}

}  // namespace hockney
