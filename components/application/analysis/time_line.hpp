#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/application/analysis/cpu_use.hpp"
#include "components/application/analysis/event_levels.hpp"
#include "components/application/analysis/iterations.hpp"

namespace hockney::applications {

// Time lines from a log. Times are seconds since the first rank left MPI_Init, by the hosts'
// clocks.

/// How many ranks do what, against time. Bins have equal lengths.
struct ActivityLine {
  struct Activity {
    std::string name;           ///< "computing", "MPI_Recv", "other MPI", "not scheduled"
    std::vector<double> ranks;  ///< in each bin, mean over its time
  };

  double begin_seconds = 0;
  double bin_seconds = 0;
  std::vector<Activity> activities;  ///< computing first; then MPI functions, most time first

  [[nodiscard]] std::size_t bins() const {
    return activities.empty() ? 0 : activities.front().ranks.size();
  }
};

/// `lost`: time of each rank of the trace without a CPU, or empty. The log does not say when that
/// was: it is an even part of the rank's computing, and of its time in MPI. Functions beyond the
/// `most_functions` longest are "other MPI".
ActivityLine activity_line(const TraceAnalysis& run, std::span<const NotScheduled> lost = {},
                           std::size_t bins = 160, std::size_t most_functions = 3);

/// A run against time.
struct TimeLines {
  Iterations iterations;
  std::optional<ActivityLine> activity{};
  std::optional<EventLevels> levels{};  ///< nullopt: no page needs them
};

}  // namespace hockney::applications
