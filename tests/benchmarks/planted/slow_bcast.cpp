// Stands before the library's MPI_Bcast (LD_PRELOAD) and makes every call longer by
// HOCKNEY_PLANTED_MICROSECONDS, by spinning. A time that does not depend on the call's own: a rank
// that waits in the next call for one that spins would else spin longer still, and so on without
// end.

#include <mpi.h>

#include <chrono>
#include <cstdlib>

namespace {

using Steady = std::chrono::steady_clock;

std::chrono::microseconds planted_time() {
  const char* text = std::getenv("HOCKNEY_PLANTED_MICROSECONDS");
  return std::chrono::microseconds(text == nullptr ? 0 : std::atol(text));
}

}  // namespace

extern "C" int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static const std::chrono::microseconds extra = planted_time();
  const int code = PMPI_Bcast(data, count, type, root, comm);
  // Reading the clock is a slow-down too, of a tenth for a short message.
  if (extra.count() <= 0) return code;
  const Steady::time_point end = Steady::now() + extra;
  while (Steady::now() < end) {
  }
  return code;
}
