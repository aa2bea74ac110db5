// Does the tree between nodes tell the truth? On the nodes of tests/rigs/nodes.sh, which MPI takes
// for different machines although one kernel has the only clock. Every rank synchronises as a
// launch does, so the leaders of the nodes learn from each other by messages over TCP; how far the
// global clock is from the rank's own is its error:
//   tests/rigs/nodes.sh 2 1 build/ci/bin/clock_nodes [SYNCS [HORIZON_SECONDS]]
// Exit code 1 when any is not within its bound, or hockney did not take the nodes for different.

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "tests/benchmarks/clock_findings.hpp"

namespace {

using namespace hockney;

/// How far a rank's global clock is from the own one, which is the same as that of rank 0.
ClockSelfTest judge(const benchmarks::ClockSync& sync, benchmarks::TickClock& clock) {
  const benchmarks::GlobalClock global = sync.global();
  const std::int64_t now = clock.now();
  const std::int64_t error = now - global.to_global(now);
  const std::int64_t bound = global.model().certain_bound(now);
  return {.estimate_seconds = static_cast<double>(error) * clock.seconds_per_tick(),
          .bound_seconds = static_cast<double>(bound) * clock.seconds_per_tick(),
          .passed = std::abs(error) <= bound};
}

/// The truth is 0 only where all ranks read one clock.
bool one_clock() {
  const auto identities = benchmarks::gather_texts(MPI_COMM_WORLD, benchmarks::clock_identity());
  return !identities.front().empty() &&
         std::ranges::count(identities, identities.front()) == std::ssize(identities);
}

}  // namespace

int main(int argc, char** argv) {
  const benchmarks::MpiEnvironment mpi(argc, argv);
  const int syncs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1000;
  const double horizon = argc > 2 ? std::atof(argv[2]) : 0;
  const bool prints_errors = benchmarks::rank_in(MPI_COMM_WORLD) == 0;
  if (!one_clock()) {
    if (prints_errors) std::cerr << "clock_nodes: the ranks read different clocks, see nodes.sh\n";
    return 2;
  }
  const auto clock = benchmarks::make_clock();
  std::vector<ClockSelfTest> own;
  int trees = 0;
  int slopes = 0;
  double seconds = 0;
  for (int i = 0; i < syncs; ++i) {
    const benchmarks::ClockSync sync(MPI_COMM_WORLD, *clock, {.horizon_seconds = horizon});
    trees += sync.facts().scheme == "hca3" ? 1 : 0;
    slopes += sync.facts().slope_used ? 1 : 0;
    seconds += sync.facts().duration_seconds / syncs;
    if (!prints_errors) own.push_back(judge(sync, *clock));
  }
  const std::vector<ClockSelfTest> all = benchmarks::gather_findings(MPI_COMM_WORLD, own);
  if (!prints_errors) return 0;
  std::cout << "synchronised over the tree: " << trees << " of " << syncs << ", with a slope "
            << slopes << '\n';
  const bool good = benchmarks::print_findings(std::cout, all, seconds);
  return good && trees == syncs ? 0 : 1;
}
