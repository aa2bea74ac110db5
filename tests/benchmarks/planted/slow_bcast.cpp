// Stands before the library's MPI_Bcast (LD_PRELOAD) and makes it longer by HOCKNEY_PLANTED_PERCENT
// per cent of its own time, by spinning. Less than 100: a rank that waits in the next call for one
// that spins would else spin longer still, and so on without end.

#include <mpi.h>

#include <chrono>
#include <cstdlib>

namespace {

using Steady = std::chrono::steady_clock;

double planted_share() {
  constexpr double percent = 0.01;
  const char* text = std::getenv("HOCKNEY_PLANTED_PERCENT");
  return text == nullptr ? 0 : percent * std::atof(text);
}

}  // namespace

extern "C" int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static const double share = planted_share();
  // Reading the clock is a slow-down too, of a tenth for a short message.
  if (share <= 0) return PMPI_Bcast(data, count, type, root, comm);
  const Steady::time_point begin = Steady::now();
  const int code = PMPI_Bcast(data, count, type, root, comm);
  const Steady::time_point end = Steady::now();
  const auto extra = std::chrono::duration_cast<Steady::duration>(share * (end - begin));
  while (Steady::now() < end + extra) {
  }
  return code;
}
