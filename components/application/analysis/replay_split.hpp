#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/application/analysis/cpu_use.hpp"
#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/analysis/waits.hpp"

namespace hockney::applications {

/// Part of a time that is on the critical path, without waits [s].
struct PathTimes {
  double computing = 0;
  double transfer = 0;
};

/// Where the time of a program, a rank or a call site went [s].
/// Dependency: waiting for ranks that computed or waited themselves. Protocol: senders waiting for
/// receives of messages above the eager limit. Not scheduled: ready to run, without a CPU.
/// Transfer: time of the network and of MPI itself.
struct SplitTimes {
  double computing = 0;
  double dependency = 0;
  std::optional<double> protocol;  ///< nullopt: no limit is known, and `transfer` includes it
  double not_scheduled = 0;  ///< 0 if not known, and of call sites: `transfer` includes it there
  double transfer = 0;
  PathTimes on_path{};  ///< of computing and transfer
};

/// Calls of one function at one site, over all ranks. Computing is the time since the call before.
/// The time after a rank's last call belongs to "MPI_Finalize".
struct SiteSplit {
  std::string call;
  std::optional<int> site;    ///< index into the trace's sites
  std::optional<int> region;  ///< index into the trace's regions
  double mpi_seconds = 0;     ///< sum of `times` without computing
  SplitTimes times;
};

/// Times in a region, from its calls, without nested regions; or outside of all regions.
struct RegionSplit {
  std::optional<int> region;  ///< index into the trace's regions
  SplitTimes times;
};

/// The time T of the rank that ran longest, split by replays of its log on networks that cost
/// nothing. No part is negative or exceeds its whole. T = mean computing + load + dependency +
/// protocol + not scheduled + transfer. Computing includes files; load is the largest computing
/// less the mean. The critical path has R2 of computing, or R3 without limits; the rest of T is
/// transfer. On the path, time without a CPU counts as what the rank did then.
struct ReplaySplit {
  double seconds = 0;  ///< T, measured
  SplitTimes times;    ///< computing: the mean over ranks
  double load = 0;
  double most_computing = 0;
  /// On a network that costs nothing, T - transfer - protocol. At most T: ranks that began one
  /// after the other may take longer in a replay, where all begin together.
  double ideal_seconds = 0;
  std::optional<double> rendezvous_seconds;  ///< the same with senders that wait above the limits
  std::vector<SplitTimes> ranks;             ///< of each rank's own time until it ended
  std::vector<SiteSplit> sites;              ///< most time in MPI first
  std::vector<RegionSplit> regions;          ///< most time on the critical path first
  std::vector<std::string> notes;

  /// POP: max C / ideal, and ideal / T. nullopt if no time passed.
  [[nodiscard]] std::optional<double> serialisation() const;
  [[nodiscard]] std::optional<double> transfer() const;
  /// Dependency and protocol of all ranks [s].
  [[nodiscard]] double waiting_seconds() const;
};

/// `limits`: of hockney-protocol, or none. `environment`: of the program; its variables may set
/// other limits. `lost`: time of each rank of the trace without a CPU, or empty; the computing of a
/// rank is shortened evenly by its part of it. InputError for an incomplete trace.
ReplaySplit split_by_replay(const TraceAnalysis& run, std::span<const EagerLimits> limits,
                            const std::map<std::string, std::string>& environment = {},
                            std::span<const NotScheduled> lost = {});

/// Computing of each rank [s].
std::vector<double> computing_of(const models::Program& program);

}  // namespace hockney::applications
