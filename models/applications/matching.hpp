#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/applications/trace.hpp"

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
  Call post;     ///< of the receive; the same as `arrival` for one that blocks
  Call arrival;  ///< that completed the receive
  std::int64_t bytes = 0;
};

/// A call of a collective by all of its ranks.
struct MatchedCollective {
  std::vector<Call> calls;  ///< of one rank each, in order of the ranks
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

/// Whether all ranks of a communicator make the call together.
bool is_collective(const profile::Event& event);

}  // namespace hockney::applications
