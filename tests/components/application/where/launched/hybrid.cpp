// A program of ranks and threads that says itself where it runs, a line for each thread:
//   rank THREAD AFFINITY
// what `hockney where` says of its launch before must be the same.

#include <mpi.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

/// "0,1": the CPUs that the calling thread may run on.
std::string affinity() {
  cpu_set_t cpus;
  ::sched_getaffinity(0, sizeof cpus, &cpus);
  std::ostringstream text;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) text << ',' << cpu;
  }
  return text.str().substr(1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::ostringstream lines;
#pragma omp parallel
  {
#ifdef _OPENMP
    const int thread = omp_get_thread_num();
#else
    const int thread = 0;
#endif
    const std::string own = affinity();
#pragma omp critical
    lines << "thread " << rank << ' ' << thread << ' ' << own << '\n';
  }
  std::fputs(lines.str().c_str(), stdout);
  MPI_Finalize();
  return 0;
}
