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

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/trace.hpp"
#include "core/record.hpp"
#include "models/replay.hpp"

namespace hockney::applications {

/// Reach of an eager limit that hockney-protocol measured.
enum class Reach { in_node, between_nodes };

constexpr auto words_of(std::type_identity<Reach>) {
  return std::to_array<std::string_view>({"in a node", "between nodes"});
}

/// The eager limits of all pairs of ranks of one reach. There are several if hop classes or
/// launches differ.
struct EagerLimits {
  Reach reach = Reach::in_node;
  std::set<std::int64_t> limits_bytes;
  /// Limits for a receiver outside of MPI, if measured.
  std::set<std::int64_t> asleep_bytes;
  std::set<std::string> hops;
  /// Variables of the library that set the limit, and the bytes of header that each of them
  /// includes [B].
  std::map<std::string, std::int64_t> header_bytes{};

  [[nodiscard]] std::int64_t least_bytes() const { return *limits_bytes.begin(); }
  [[nodiscard]] std::int64_t most_bytes() const { return *limits_bytes.rbegin(); }
};

/// From the complete launches of hockney-protocol among the records; empty if none found a limit.
std::vector<EagerLimits> eager_limits(std::span<const Record> records);

/// Largest messages of one reach whose sender does not wait [B].
struct SendLimit {
  std::int64_t unnoticed =
      std::numeric_limits<std::int64_t>::max();                   ///< for a receiver that computes
  std::int64_t eager = std::numeric_limits<std::int64_t>::max();  ///< before the receive is posted

  [[nodiscard]] models::SenderWaits waits(std::int64_t bytes) const {
    if (bytes > eager) return models::SenderWaits::for_receive;
    return bytes > unnoticed ? models::SenderWaits::for_progress : models::SenderWaits::for_no_rank;
  }
  /// The same limits with another eager limit. If messages up to the old one needed no progress of
  /// the receiver, neither do those up to the new one.
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

/// The smallest limit of each reach, or the value of a variable that the environment sets for it.
SendLimits send_limits(std::span<const EagerLimits> limits,
                       const std::map<std::string, std::string>& environment = {});

/// Calls that would be eager with a limit at most twice as high.
struct CallsAbove {
  std::string call;
  Volume volume;
};

/// A program's messages and the limits of one reach. Rows of a profile have only the smallest and
/// largest message. `perhaps_above` counts rows that a limit divides, and messages between two
/// limits.
struct LimitUse {
  EagerLimits limits;
  Volume messages;  ///< all of this reach
  Volume above;
  Volume perhaps_above;
  std::vector<CallsAbove> just_above;  ///< sends of any reach, most bytes first
};

/// For each reach that the program uses and that has a known limit.
std::vector<LimitUse> limit_uses(const profile::Profile& profile,
                                 std::span<const EagerLimits> limits);

/// Waiting time in one state, by the clocks of the hosts, over all ranks [s].
struct WaitState {
  double seconds = 0;
  /// Largest error of the sum: the bounds of the clocks, summed over its waits [s].
  double bound_seconds = 0;
};

/// Wait states by entry and exit times, after Scalasca's definitions (Wolf, Mohr 2003; Geimer et
/// al. 2010). They are a cross-check of the replay, which compares no clocks. Only blocking
/// collectives count: those with data, and barriers.
struct WaitStates {
  WaitState late_sender;     ///< receivers, until the send was called
  WaitState late_receiver;   ///< senders that return only then, until the receive was posted
  WaitState barrier;         ///< until the last rank entered
  WaitState all_to_all;      ///< the same for calls in which each rank needs all others
  WaitState early_reduce;    ///< roots of calls to one rank, until the last rank entered
  WaitState late_broadcast;  ///< other ranks of calls from one rank, until the root entered
  int clocks_not_known = 0;  ///< waits between hosts without comparable clocks: in no sum

  [[nodiscard]] WaitState all() const;
};

/// Waits for messages in the calls of one site, by the hosts' clocks, over all ranks.
struct SiteWait {
  std::string call;
  std::optional<int> site;  ///< index into the trace's sites
  double seconds = 0;
  Volume volume;  ///< messages waited for
  int peer = 0;   ///< rank that was waited for longest
  int rank = 0;   ///< rank that waited longest
};

/// Sites with the longest waits first.
struct MessageWaits {
  std::vector<SiteWait> receivers;  ///< until the send was called
  /// Until the receive was posted. Calls that also received count what goes beyond the wait for
  /// the message.
  std::vector<SiteWait> senders;
  /// Largest message whose sender returned before its receive was posted; -1: none [B].
  std::int64_t eager_bytes = -1;
};

MessageWaits message_waits(const Trace& trace, const Matching& matching,
                           const std::map<std::string, HostClock>& clocks);

/// `clocks`: result of align_clocks().
WaitStates wait_states(const Trace& trace, const Matching& matching,
                       const std::map<std::string, HostClock>& clocks);

}  // namespace hockney::applications
