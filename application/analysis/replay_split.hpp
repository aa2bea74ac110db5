#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "application/analysis/replay.hpp"
#include "application/analysis/waits.hpp"

namespace hockney::applications {

/// One call of a rank that the critical path goes through, with what comes before it.
struct PathPiece {
  std::size_t rank = 0;              ///< place in Trace::ranks
  std::optional<std::size_t> event;  ///< of that rank; nullopt: what it does after its last call
  double computing_seconds = 0;      ///< before the call
  double transfer_seconds = 0;       ///< in the call
};

/// What the run waited for to the end: from the end of the rank that ends last back to what it
/// waited for, and to what that waited for, down to the begin of a rank. Nobody waits on it, so
/// that it is computing, as long as the replay, and transfer, the rest of T. What a piece took is
/// told by times since each rank's own MPI_Init, as the replay has ranks begin together: a rank
/// that left it late takes from the transfer of one piece what it adds to another's.
/// `times` are those of a network that costs nothing; the pieces are in the order of the walk.
std::vector<PathPiece> critical_path(const Trace& trace, const HappensBefore& program,
                                     const ReplayedTimes& times);

/// What of a time is on the critical path: nobody waits there [s].
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
