#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "application/analysis/communication.hpp"
#include "application/analysis/trace.hpp"
#include "core/record.hpp"

namespace hockney::applications {

/// How far messages go without a receive, as hockney-protocol found it.
enum class Reach { in_node, between_nodes };

constexpr auto words_of(std::type_identity<Reach>) {
  return std::to_array<std::string_view>({"in a node", "between nodes"});
}

/// The eager limits of all pairs of ranks of one reach; several where their hop classes, or
/// launches, differ.
struct EagerLimits {
  Reach reach = Reach::in_node;
  std::set<std::int64_t> limits_bytes;
  /// The same for a receiver that is outside of MPI, where that was found.
  std::set<std::int64_t> asleep_bytes;
  std::set<std::string> hops;
  /// Variables of the library that state the limit, with what it keeps of it for itself [B].
  std::map<std::string, std::int64_t> header_bytes{};

  [[nodiscard]] std::int64_t least_bytes() const { return *limits_bytes.begin(); }
  [[nodiscard]] std::int64_t most_bytes() const { return *limits_bytes.rbegin(); }
};

/// Of the complete launches of hockney-protocol among the records; none where none found a limit.
std::vector<EagerLimits> eager_limits(std::span<const Record> records);

/// What a sender waits for.
enum class SenderWaits {
  for_nobody,
  for_progress,  ///< until its receiver is inside MPI, where it takes what lies there
  for_receive    ///< rendezvous: the message starts only when its receive was posted
};

/// The largest messages of one reach that a sender gets rid of [B].
struct SendLimit {
  std::int64_t unnoticed =
      std::numeric_limits<std::int64_t>::max();                   ///< by a receiver that computes
  std::int64_t eager = std::numeric_limits<std::int64_t>::max();  ///< before the receive is posted

  [[nodiscard]] SenderWaits waits(std::int64_t bytes) const {
    if (bytes > eager) return SenderWaits::for_receive;
    return bytes > unnoticed ? SenderWaits::for_progress : SenderWaits::for_nobody;
  }
  /// With another eager limit. A library that copies messages to where the receiver need not look
  /// goes on to do so; one that does not, does not begin to.
  [[nodiscard]] SendLimit with_eager(std::int64_t bytes) const {
    return {unnoticed == eager ? bytes : std::min(unnoticed, bytes), bytes};
  }
};

struct SendLimits {
  SendLimit in_node;
  SendLimit between_nodes;

  SendLimit& of(Reach reach) { return reach == Reach::in_node ? in_node : between_nodes; }
  [[nodiscard]] const SendLimit& of(Reach reach) const {
    return reach == Reach::in_node ? in_node : between_nodes;
  }
};

/// The smallest of each reach; where an environment sets a variable that states one, as that says.
SendLimits send_limits(std::span<const EagerLimits> limits,
                       const std::map<std::string, std::string>& environment = {});

/// Calls that would be eager if the limit were at most twice as high.
struct CallsAbove {
  std::string call;
  Volume volume;
};

/// The messages of a program against the limits of one reach. Rows of a profile tell the smallest
/// and the largest of some messages: those of a row that a limit parts, or that lie between two
/// limits, may be above.
struct LimitUse {
  EagerLimits limits;
  Volume messages;  ///< all of this reach
  Volume above;
  Volume perhaps_above;
  std::vector<CallsAbove> just_above;  ///< of sends to anybody, those of most bytes first
};

/// Of each reach that both the program uses and limits are known of.
std::vector<LimitUse> limit_uses(const profile::Profile& profile,
                                 std::span<const EagerLimits> limits);

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
