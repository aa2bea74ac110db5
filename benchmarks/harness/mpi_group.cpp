#include "benchmarks/harness/mpi_group.hpp"

#include <mpi.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep
#include <cerrno>
#include <chrono>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {

void sleep_for(std::chrono::nanoseconds time) {
  if (time <= std::chrono::nanoseconds::zero()) return;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
  timespec requested{};
  requested.tv_sec = whole.count();
  requested.tv_nsec = (time - whole).count();
  while (nanosleep(&requested, &requested) != 0 && errno == EINTR) {
  }
}

MpiRankGroup::MpiRankGroup(MPI_Comm comm)
    : operations_(comm), rank_(rank_in(comm)), size_(size_of(comm)) {
  mpi_check(MPI_Comm_dup(comm, control_.out()));
}

void MpiRankGroup::barrier() { mpi_check(MPI_Barrier(control_.get())); }

void MpiRankGroup::pass(int to, int from) {
  constexpr int tag = 0;
  mpi_check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, tag, nullptr, 0, MPI_BYTE, from, tag,
                         control_.get(), MPI_STATUS_IGNORE));
}

std::int64_t MpiRankGroup::from_first(std::int64_t value) {
  mpi_check(MPI_Bcast(&value, 1, MPI_INT64_T, 0, control_.get()));
  return value;
}

// Ranks wait here while others still call on their memory. In a blocking collective in shared
// memory Intel MPI 2021.18 looks for such calls so seldom that a put takes 30 us instead of 0.5.
// The simulator takes another algorithm for the nonblocking one, and time for it.
void MpiRankGroup::maximum(std::span<double> values) {
  const int count = static_cast<int>(values.size());
  if (is_simulated()) {
    return mpi_check(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_DOUBLE, MPI_MAX, control_.get()));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_DOUBLE, MPI_MAX, control_.get(),
                           &request));
  mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

namespace {

constexpr std::chrono::microseconds nap(200);

/// Receives an empty message; false when it did not come for a while.
bool receive_soon(MPI_Comm comm, int from, int tag) {
  constexpr std::chrono::seconds patience(10);
  for (std::int64_t naps = 0; naps < patience / nap; ++naps) {
    int is_there = 0;
    mpi_check(MPI_Iprobe(from, tag, comm, &is_there, MPI_STATUS_IGNORE));
    if (is_there != 0) {
      mpi_check(MPI_Recv(nullptr, 0, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE));
      return true;
    }
    sleep_for(nap);
  }
  return false;
}

}  // namespace

void quiet_barrier(MPI_Comm comm) {
  if (is_simulated()) return mpi_check(MPI_Barrier(comm));
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Ibarrier(comm, &request));
  for (int done = 0;;) {
    mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
    sleep_for(nap);
  }
}

/// Not by a collective: ranks that do not come may be in another one.
bool all_come(MPI_Comm comm) {
  constexpr int come = 32001;  // tags that nothing else has
  constexpr int all_are_here = 32002;
  if (is_simulated()) return true;
  const int size = size_of(comm);
  if (rank_in(comm) != 0) {
    mpi_check(MPI_Send(nullptr, 0, MPI_BYTE, 0, come, comm));
    return receive_soon(comm, 0, all_are_here);
  }
  for (int rank = 1; rank < size; ++rank) {
    if (!receive_soon(comm, rank, come)) return false;
  }
  for (int rank = 1; rank < size; ++rank) {
    mpi_check(MPI_Send(nullptr, 0, MPI_BYTE, rank, all_are_here, comm));
  }
  return true;
}

}  // namespace hockney::benchmarks
