#include "benchmarks/harness/mpi_group.hpp"

#include <mpi.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep
#include <cerrno>
#include <chrono>
#include <limits>

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

/// False when it was not complete after so many naps.
bool barrier_within(MPI_Comm comm, std::int64_t most_naps) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Ibarrier(comm, &request));
  for (std::int64_t naps = 0; naps < most_naps; ++naps) {
    int done = 0;
    mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return true;
    sleep_for(nap);
  }
  return false;
}

}  // namespace

void quiet_barrier(MPI_Comm comm) {
  if (is_simulated()) return mpi_check(MPI_Barrier(comm));
  barrier_within(comm, std::numeric_limits<std::int64_t>::max());
}

bool all_come(MPI_Comm comm) {
  constexpr std::chrono::seconds patience(10);
  return is_simulated() || barrier_within(comm, patience / nap);
}

}  // namespace hockney::benchmarks
