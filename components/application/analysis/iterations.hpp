#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/trace_analysis.hpp"
#include "core/statistics.hpp"

namespace hockney::applications {

/// When each rank left MPI_Init, since the first of them did, by the hosts' clocks [s].
std::vector<double> rank_begins(const TraceAnalysis& run);

/// One iteration of the program's main loop. It begins with the computing before its first call.
struct Iteration {
  double begin_seconds = 0;  ///< of the first rank that enters it, on the axis of rank_begins()
  double end_seconds = 0;    ///< of the last rank that leaves it
  double seconds = 0;        ///< mean over ranks of their own time in it
};

/// Why the slowest iteration takes longer than the median one.
struct SlowIteration {
  enum class Cause { not_known, rank_computes, ranks_compute, call };
  Cause cause = Cause::not_known;
  int rank = 0;        ///< world rank that computes longer, or that is longer in the call
  std::string call;    ///< "MPI_Allreduce"
  double seconds = 0;  ///< by which it takes longer there
};

/// Iterations of a program, numbered from 0.
struct Iterations {
  std::vector<Iteration> all;  ///< in order
  double median_seconds = 0;
  std::optional<Interval> interval;  ///< of the median, over iterations
  double low_seconds = 0;            ///< quartiles: half of the iterations is between them
  double high_seconds = 0;
  std::size_t typical = 0;  ///< the iteration whose length is next to the median
  std::size_t slowest = 0;
  SlowIteration why_slowest;
  std::size_t calls = 0;    ///< of a rank in an iteration, median
  std::size_t ranks = 0;    ///< that take part in the loop
  double run_fraction = 0;  ///< part of the run from the first to the last iteration
  /// Each so many iterations have more or fewer calls than the others; 0: no such period.
  std::size_t outer_period = 0;
  std::string why_none;  ///< reason if there are no iterations

  [[nodiscard]] std::size_t count() const { return all.size(); }
};

/// Finds the loop of each rank by find_loop(). Ranks must agree on the number of iterations: nine
/// of ten of those with a loop, and half of all ranks. Unsuccessful tests and probes are left out,
/// as their number depends on timing.
Iterations find_iterations(const TraceAnalysis& run);

}  // namespace hockney::applications
