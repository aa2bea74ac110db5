// How far is clock synchronisation from the truth? The ranks of one machine read the same clock, so
// every offset that the algorithm finds between them is its error. Two or more ranks:
//   mpirun -n 2 --bind-to none build/ci/bin/clock_truth [SYNCS [HORIZON_SECONDS]]
// With a horizon also the whole method, drift and all, as if every rank were a node: what the
// global clocks differ by when the horizon is over.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <vector>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "tests/benchmarks/clock_findings.hpp"

namespace {

using namespace hockney;

/// Where the drift is 0 too, a slope that is used is an error.
void age(benchmarks::TickClock& clock, double horizon_seconds) {
  benchmarks::ClockSync sync(
      MPI_COMM_WORLD, clock,
      {.horizon_seconds = horizon_seconds, .grouping = benchmarks::ClockGrouping::each_alone});
  std::this_thread::sleep_for(std::chrono::duration<double>(horizon_seconds));
  sync.measure_again();
  if (benchmarks::rank_in(MPI_COMM_WORLD) != 0) return;
  const Synchronisation& facts = sync.facts();
  std::cout << "after " << horizon_seconds << " s: bound " << facts.bound_seconds * 1e9
            << " ns, slope " << (facts.slope_used ? "used" : "not used") << ", apart "
            << facts.end_error_seconds.value_or(0) * 1e9 << " ns, certain to "
            << facts.end_bound_seconds.value_or(0) * 1e9 << " ns"
            << (sync.drifted() ? ", drifted" : "") << ", synchronised in "
            << facts.duration_seconds * 1e3 << " ms\n";
}

}  // namespace

int main(int argc, char** argv) {
  const benchmarks::MpiEnvironment mpi(argc, argv);
  const int syncs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1000;
  if (benchmarks::size_of(MPI_COMM_WORLD) < 2) {
    std::cerr << "clock_truth: needs two ranks or more\n";
    return 2;
  }
  const benchmarks::JobPlacement job = benchmarks::place_ranks(MPI_COMM_WORLD, {});
  benchmarks::UniqueComm comm;
  benchmarks::mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, comm.out()));
  const auto clock = benchmarks::make_clock();
  const std::int64_t start = clock->now();
  const std::vector<ClockSelfTest> own = check_clocks(comm.get(), *clock, syncs);
  const auto elapsed = static_cast<double>(clock->now() - start) * clock->seconds_per_tick();
  const std::vector<ClockSelfTest> all = benchmarks::gather_findings(comm.get(), own);
  int code = 0;
  if (benchmarks::rank_in(MPI_COMM_WORLD) == 0)
    code = benchmarks::print_findings(std::cout, all, elapsed / syncs) ? 0 : 1;
  if (argc > 2) age(*clock, std::atof(argv[2]));
  return code;
}
