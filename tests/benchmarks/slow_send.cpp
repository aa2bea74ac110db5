// A library to be preloaded, in which MPI_Send takes longer by so many per cent of its own time as
// HOCKNEY_SLOW_SEND_PERCENT says: a regression of a known cause for tests/benchmarks/nights.sh.

#include <mpi.h>

#include <chrono>
#include <cstdlib>

namespace {

using Clock = std::chrono::steady_clock;

double added_share() {
  const char* const percent = std::getenv("HOCKNEY_SLOW_SEND_PERCENT");
  return percent == nullptr ? 0 : std::atof(percent) / 100;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): MPI's name
extern "C" int MPI_Send(const void* buffer, int count, MPI_Datatype datatype, int destination,
                        int tag, MPI_Comm communicator) {
  static const double share = added_share();
  const Clock::time_point begin = Clock::now();
  const int code = PMPI_Send(buffer, count, datatype, destination, tag, communicator);
  const Clock::time_point end = Clock::now();
  const auto longer = std::chrono::duration_cast<Clock::duration>(share * (end - begin));
  while (Clock::now() < end + longer) {
  }
  return code;
}
