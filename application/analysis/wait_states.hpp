#pragma once

#include <map>
#include <string>
#include <vector>

#include "application/analysis/clocks.hpp"

namespace hockney::applications {

/// Time that ranks spent waiting in one way, by the clocks of their hosts, over all ranks [s].
struct WaitState {
  double seconds = 0;
  /// How far the sum may be off: those of the clocks, over the waits that it is made of [s].
  double bound_seconds = 0;
};

/// Why ranks waited, by the times at which calls were entered and left, after Scalasca's
/// definitions (Wolf, Mohr 2003; Geimer et al. 2010): a second opinion on the waits of a replay,
/// which compares no clocks. Blocking collectives alone, those that carry data or are barriers.
struct WaitStates {
  WaitState late_sender;     ///< receivers, until the send was called
  WaitState late_receiver;   ///< senders that do not return before, until the receive was posted
  WaitState barrier;         ///< until the last one came
  WaitState all_to_all;      ///< the same where each rank needs all others
  WaitState early_reduce;    ///< roots of what goes to one rank, until the last one came
  WaitState late_broadcast;  ///< what comes from one rank, until that came
  int clocks_not_known = 0;  ///< waits of ranks on hosts whose clocks do not compare: in no sum

  [[nodiscard]] WaitState all() const;
};

/// `clocks` of align_clocks().
WaitStates wait_states(const Trace& trace, const Matching& matching,
                       const std::map<std::string, HostClock>& clocks);

}  // namespace hockney::applications
