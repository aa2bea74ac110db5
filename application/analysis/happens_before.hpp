#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "application/analysis/matching.hpp"

namespace hockney::applications {

/// What a rank does at one place of its program, after it has computed.
struct ProgramStep {
  enum class Does : std::uint8_t {
    nothing,
    sends,     ///< message `index`
    receives,  ///< begins to
    enters     ///< collective `index`
  };
  /// What must have happened before the rank goes on.
  enum class Needs : std::uint8_t {
    nothing,
    sent,      ///< message `index`, as far as its sender goes
    received,  ///< message `index`
    left       ///< collective `index`
  };

  double computing_seconds = 0;  ///< since the step before, with I/O
  Does does = Does::nothing;
  Needs needs = Needs::nothing;
  std::uint32_t index = 0;
  std::uint32_t event = 0;  ///< of the rank's trace
};

/// A message of the program.
struct Transfer {
  int from = 0;  ///< places in Trace::ranks
  int to = 0;
  std::int64_t bytes = 0;
  bool is_synchronous = false;  ///< MPI_Ssend and its like: the sender waits in any case
};

struct CollectiveCall {
  profile::Function function = profile::Function::count;
  Waits waits = Waits::for_all;
  int root = -1;           ///< place in `ranks`; -1: none of them
  std::vector<int> ranks;  ///< places in Trace::ranks, in order
  std::int64_t bytes = 0;  ///< the most that one rank hands over
};

/// A program by what MPI's order says of it alone, without any clock but each rank's own: what each
/// rank does and needs, one after the other.
struct HappensBefore {
  std::vector<std::vector<ProgramStep>> ranks;
  std::vector<double> tail_seconds;  ///< computing of each rank after its last step
  std::vector<Transfer> messages;
  std::vector<CollectiveCall> collectives;
  /// What is not followed, in a sentence each: it costs nothing in a replay and waits for nothing.
  std::vector<std::string> notes;
};

/// What a rank computed since the event before one of its events, with files and with what it did
/// between tests in a row [s].
double computing_with(const RankTrace& rank, std::size_t event);
/// And after its last one.
double computing_after(const RankTrace& rank);

/// InputError for a trace with ranks or calls missing, which has no such order.
void check_whole(const Trace& trace);

/// Of a whole trace.
HappensBefore happens_before(const Trace& trace, const Matching& matching);

}  // namespace hockney::applications
