#pragma once

#include <optional>
#include <vector>

#include "application/analysis/replay.hpp"

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

}  // namespace hockney::applications
