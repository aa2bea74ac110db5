// How far is clock synchronisation from the truth? The ranks of one machine read the same clock, so
// every offset that the algorithm finds between them is its error. Two or more ranks:
//   mpirun -n 2 --bind-to none build/ci/bin/clock_truth [SYNCS [HORIZON_SECONDS]]
// With a horizon also the whole method, drift and all, as if every rank were a node: what the
// global clocks differ by when the horizon is over.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/placement.hpp"
#include "benchmarks/harness/tree_sync.hpp"
#include "core/statistics.hpp"

namespace {

using namespace hockney;

/// What all ranks found, on rank 0.
struct Findings {
  std::vector<double> errors_ns;
  std::vector<double> bounds_ns;
};

std::vector<double> gather(double own) {
  std::vector<double> all(static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
  mpi_check(MPI_Gather(&own, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  return all;
}

/// One synchronisation of one pass: the estimates of all ranks but the first.
void synchronise(MPI_Comm comm, TickClock& clock, Findings& findings) {
  const auto model = learn_clock(comm, clock, {.passes = 1});
  const Offset found = model.value_or(ClockModel{}).anchor;
  // A failure is an error without a bound.
  const double error = model ? std::abs(static_cast<double>(found.estimate)) : 1e300;
  const std::vector<double> errors = gather(error);
  const std::vector<double> bounds = gather(static_cast<double>(found.bound));
  findings.errors_ns.insert(findings.errors_ns.end(), errors.begin() + 1, errors.end());
  findings.bounds_ns.insert(findings.bounds_ns.end(), bounds.begin() + 1, bounds.end());
}

void print(const std::string& what, const std::vector<double>& values) {
  std::cout << what << ": median " << median(values).value() << " ns, largest "
            << std::ranges::max(values) << " ns\n";
}

/// Where the drift is 0 too, a slope that is used is an error.
void age(TickClock& clock, double horizon_seconds) {
  ClockSync sync(MPI_COMM_WORLD, clock,
                 {.horizon_seconds = horizon_seconds, .grouping = ClockGrouping::each_alone});
  std::this_thread::sleep_for(std::chrono::duration<double>(horizon_seconds));
  sync.measure_again();
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  const Synchronisation& facts = sync.facts();
  std::cout << "after " << horizon_seconds << " s: bound " << facts.bound_seconds * 1e9
            << " ns, slope " << (facts.slope_used ? "used" : "not used") << ", apart "
            << facts.end_error_seconds.value_or(0) * 1e9 << " ns, certain to "
            << facts.end_bound_seconds.value_or(0) * 1e9 << " ns"
            << (sync.drifted() ? ", drifted" : "") << ", synchronised in "
            << facts.duration_seconds * 1e3 << " ms\n";
}

/// Exit code.
int print(const Findings& findings, double seconds_of_one) {
  std::size_t within = 0;
  for (std::size_t i = 0; i < findings.errors_ns.size(); ++i) {
    within += findings.errors_ns[i] <= findings.bounds_ns[i] ? 1U : 0U;
  }
  std::cout << "within their bound: " << within << " of " << findings.errors_ns.size() << '\n';
  print("|error|", findings.errors_ns);
  print("bound", findings.bounds_ns);
  std::cout << "time of one: " << seconds_of_one * 1e6 << " us\n";
  return within == findings.errors_ns.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const MpiEnvironment mpi(argc, argv);
  const int syncs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1000;
  if (size_of(MPI_COMM_WORLD) < 2) {
    std::cerr << "clock_truth: needs two ranks or more\n";
    return 2;
  }
  const JobPlacement job = place_ranks(MPI_COMM_WORLD, {});
  UniqueComm comm;
  mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, comm.out()));
  const auto clock = make_clock();
  Findings findings;
  const std::int64_t start = clock->now();
  for (int i = 0; i < syncs; ++i) synchronise(comm.get(), *clock, findings);
  const auto elapsed = static_cast<double>(clock->now() - start) * clock->seconds_per_tick();
  int code = 0;
  if (rank_in(MPI_COMM_WORLD) == 0) code = print(findings, elapsed / syncs);
  if (argc > 2) age(*clock, std::atof(argv[2]));
  return code;
}
