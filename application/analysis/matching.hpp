#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "application/analysis/trace.hpp"

namespace hockney::applications {

/// One call of one rank: places in Trace::ranks and in its events.
struct Call {
  std::size_t rank = 0;
  std::size_t event = 0;

  friend auto operator<=>(const Call&, const Call&) = default;
};

/// A message with the calls that it joins.
struct MatchedMessage {
  Call send;
  Call departure;  ///< that completed the send; the same as `send` for one that blocks
  Call post;       ///< of the receive; the same as `arrival` for one that blocks
  Call arrival;    ///< that completed the receive
  std::int64_t bytes = 0;
};

/// A call of a collective by all of its ranks.
struct MatchedCollective {
  std::vector<Call> calls;  ///< of one rank each, in order of the ranks
};

/// Whose call of a collective a rank waits for before it leaves its own, as its meaning demands.
enum class Waits {
  for_nobody,
  for_all,
  for_root,      ///< what comes from one rank; the root waits for nobody
  root_for_all,  ///< what goes to one rank; the others wait for nobody
  for_lower_ranks,
  for_neighbours  ///< who they are is not logged
};

/// Which calls belong together, found by MPI's order alone: for each communicator, sender and tag
/// the k-th message goes to the k-th receive that was posted for it, and on each communicator the
/// k-th collective of one rank is that of the others.
struct Matching {
  std::vector<MatchedMessage> messages;
  std::vector<MatchedCollective> collectives;
  std::int64_t sends_alone = 0;     ///< whose receive is not in the trace, to ranks that are
  std::int64_t receives_alone = 0;  ///< that got something whose send is not
};

Matching match(const Trace& trace);

/// Of a call that carries data, for nobody where no rank hands over any.
Waits waits_of(const Trace& trace, const MatchedCollective& collective);

/// Whether all ranks of a communicator make the call together, and may wait in it or in what
/// completes its request. Not those whose request no log knows: MPI_Comm_idup.
bool is_collective(const profile::Event& event);

}  // namespace hockney::applications
