#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "application/analysis/eager.hpp"
#include "application/analysis/replay.hpp"
#include "application/analysis/trace_analysis.hpp"

namespace hockney::applications {

/// What of a time is on the critical path (critical_path.hpp): nobody waits there [s].
struct PathTimes {
  double computing = 0;
  double transfer = 0;
};

/// Where the time of a program, of one of its ranks or of a call site went [s]. Dependency: waiting
/// for others that computed or waited; protocol: senders waiting for receives of messages beyond
/// the eager limit; transfer: what the network and MPI itself took.
struct SplitTimes {
  double computing = 0;
  double dependency = 0;
  std::optional<double> protocol;  ///< nullopt: no limit is known, and `transfer` holds it, too
  double transfer = 0;
  PathTimes on_path{};  ///< of computing and transfer
};

/// Calls of one function at one site, over all ranks. Computing is what leads to them, since the
/// call before; that after the last call is of "MPI_Finalize".
struct SiteSplit {
  std::string call;
  std::optional<int> site;    ///< of the trace
  std::optional<int> region;  ///< of the trace
  double mpi_seconds = 0;     ///< of which:
  SplitTimes times;           ///< but for computing
};

/// All of a region, as far as its calls tell, without regions inside of it; or of none.
struct RegionSplit {
  std::optional<int> region;  ///< of the trace
  SplitTimes times;
};

/// The time T of the rank that ran longest, by replays of its log of events on networks that cost
/// nothing: T = mean computing + load + dependency + protocol + transfer. Computing is with files;
/// load is the longest computing less the mean. On the critical path T is R2, or R3 without limits,
/// of computing, and transfer.
struct ReplaySplit {
  double seconds = 0;  ///< T, measured
  SplitTimes times;    ///< computing: the mean over ranks
  double load = 0;
  double most_computing = 0;
  double ideal_seconds = 0;  ///< on a network that costs nothing, T - transfer - protocol
  std::optional<double> rendezvous_seconds;  ///< the same where senders wait beyond the limits
  std::vector<SplitTimes> ranks;             ///< of each rank's own time until it ended
  std::vector<SiteSplit> sites;              ///< those of most time in MPI first
  std::vector<RegionSplit> regions;          ///< those of most time on the critical path first
  std::vector<std::string> notes;

  /// Of POP: max C / ideal, ideal / T. nullopt where no time passed.
  [[nodiscard]] std::optional<double> serialisation() const;
  [[nodiscard]] std::optional<double> transfer() const;
  /// Dependency and protocol of all ranks [s].
  [[nodiscard]] double waiting_seconds() const;
};

/// `limits`: of hockney-protocol, or none; `environment`: of the program, which may ask for others.
/// InputError for a trace that is not whole.
ReplaySplit split_by_replay(const TraceAnalysis& run, std::span<const EagerLimits> limits,
                            const std::map<std::string, std::string>& environment = {});

}  // namespace hockney::applications
