#include "components/application/analysis/waits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "components/application/analysis/communication.hpp"
#include "core/text.hpp"

namespace hockney::applications {
namespace {

using models::CollectiveWaits;

std::string host_of(const Record& record, int rank) {
  const auto found = std::ranges::find(record.ranks, rank, &RankPlace::rank);
  return found == record.ranks.end() ? "" : found->host;
}

Reach reach_of(const Record& record, const Protocol& protocol) {
  if (protocol.pair.size() != 2) return Reach::in_node;
  const bool is_one_host = host_of(record, protocol.pair[0]) == host_of(record, protocol.pair[1]);
  return is_one_host ? Reach::in_node : Reach::between_nodes;
}

void add_use(LimitUse& use, const profile::Messages& row) {
  const Volume volume{row.messages, row.bytes, row.min_bytes, row.max_bytes};
  use.messages.add(volume);
  if (row.min_bytes > use.limits.most_bytes()) {
    use.above.add(volume);
  } else if (row.max_bytes > use.limits.least_bytes()) {
    use.perhaps_above.add(volume);
  }
}

std::vector<CallsAbove> calls_just_above(const profile::Profile& profile,
                                         const EagerLimits& limits) {
  std::map<std::string, Volume> found;
  for (const profile::Calls& calls : profile.calls) {
    const bool is_above = calls.min_bytes > limits.least_bytes() &&
                          calls.max_bytes - limits.most_bytes() <= limits.most_bytes();
    if (class_of(calls.call) != CallClass::send || !is_above) continue;
    found[calls.call].add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
  }
  std::vector<CallsAbove> listed;
  listed.reserve(found.size());
  for (const auto& [call, volume] : found) listed.push_back({call, volume});
  std::ranges::stable_sort(listed, std::greater<>(),
                           [](const CallsAbove& one) { return one.volume.bytes; });
  return listed;
}

/// Limit that the environment requests by a variable of the library or of its components.
std::optional<std::int64_t> requested_limit(const EagerLimits& limits,
                                            const std::map<std::string, std::string>& environment) {
  std::optional<std::int64_t> requested;
  for (const auto& [name, text] : environment) {
    const auto value = as_number<std::int64_t>(text);
    const auto stated = std::ranges::find_if(limits.header_bytes, [&](const auto& one) {
      return name == one.first || name.ends_with("_MCA_" + one.first);
    });
    if (!value || stated == limits.header_bytes.end()) continue;
    const std::int64_t bytes = std::max<std::int64_t>(*value - stated->second, 0);
    requested = std::min(requested.value_or(bytes), bytes);
  }
  return requested;
}

/// Largest message that MPI_Send hands over to a receiver outside of MPI.
std::optional<std::int64_t> limit_asleep(const Protocol& protocol) {
  for (const EagerLimit& found : protocol.eager_probes) {
    const bool is_plain = found.call == "send" && found.datatype == "bytes";
    if (is_plain && found.receiver == "asleep") return found.limit_bytes.value_or(-1);
  }
  return std::nullopt;
}

/// Adds the limit that a launch found between two ranks. `protocol` must have one.
void add_limit(EagerLimits& limits, const Protocol& protocol) {
  limits.limits_bytes.insert(protocol.eager_limit_bytes.value_or(0));
  if (const auto asleep = limit_asleep(protocol)) limits.asleep_bytes.insert(*asleep);
  for (const StatedLimit& stated : protocol.stated) {
    limits.header_bytes[stated.variable] = stated.header_bytes;
  }
  if (protocol.hop) limits.hops.insert(*protocol.hop);
}

/// Entry and exit times of calls on the clock of the first rank's host.
class CallTimes {
 public:
  CallTimes(const Trace& trace, const std::map<std::string, HostClock>& clocks)
      : trace_(trace), clocks_(clocks) {}

  [[nodiscard]] double entered(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return begin_of(rank) + rank.begin_of(rank.events[call.event]);
  }
  [[nodiscard]] double left(const Call& call) const {
    const RankTrace& rank = trace_.ranks[call.rank];
    return begin_of(rank) + rank.end_of(rank.events[call.event]);
  }

  /// Largest error of a time between two ranks [s]; nullopt if unknown.
  [[nodiscard]] std::optional<double> bound(std::size_t rank, std::size_t other) const {
    const std::string& one = trace_.ranks[rank].clock();
    const std::string& two = trace_.ranks[other].clock();
    if (one == two) return 0;
    const auto& first = clocks_.at(one).bound_seconds;
    const auto& second = clocks_.at(two).bound_seconds;
    if (!first || !second) return std::nullopt;
    return *first + *second;
  }

 private:
  [[nodiscard]] double begin_of(const RankTrace& rank) const {
    return rank.begin_seconds + clocks_.at(rank.clock()).offset_seconds;
  }

  const Trace& trace_;
  const std::map<std::string, HostClock>& clocks_;
};

/// Wait of a receiver for the send of a message; negative if it did not wait.
double wait_of_receiver(const CallTimes& times, const MatchedMessage& message) {
  const double until = std::min(times.entered(message.send), times.left(message.arrival));
  return until - times.entered(message.arrival);
}

/// Wait of a sender for the receive of a message. 0 if the call ended before the receive was
/// posted; times are whole ticks.
double wait_of_sender(const Trace& trace, const CallTimes& times, const MatchedMessage& message) {
  const double posted = times.entered(message.post);
  const double tick = trace.ranks[message.departure.rank].seconds_per_tick;
  if (times.left(message.departure) + tick < posted) return 0;
  return posted - times.entered(message.departure);
}

/// Duration of a wait, the rank that caused it, and the bytes of the message.
struct CallWait {
  double seconds = 0;
  std::size_t other = 0;
  std::int64_t bytes = 0;
};
using CallWaits = std::vector<std::pair<Call, CallWait>>;

/// The longest wait of each call that waits, by call. A call may complete several messages.
class LongestWaits {
 public:
  void add(const Call& call, const CallWait& wait) {
    if (wait.seconds > 0) waits_.emplace_back(call, wait);
  }
  CallWaits take() {
    std::ranges::stable_sort(waits_, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second.seconds > b.second.seconds;
    });
    const auto rest = std::ranges::unique(waits_, {}, [](const auto& one) { return one.first; });
    waits_.erase(rest.begin(), rest.end());
    return std::move(waits_);
  }

 private:
  CallWaits waits_;
};

class States {
 public:
  States(const Trace& trace, const Matching& matching,
         const std::map<std::string, HostClock>& clocks)
      : trace_(trace), times_(trace, clocks) {
    LongestWaits receivers;
    LongestWaits senders;
    for (const MatchedMessage& message : matching.messages) {
      receivers.add(message.arrival,
                    {.seconds = wait_of_receiver(times_, message), .other = message.send.rank});
      senders.add(message.departure, {.seconds = wait_of_sender(trace_, times_, message),
                                      .other = message.arrival.rank});
    }
    for (const auto& [call, wait] : receivers.take()) add(states_.late_sender, call, wait);
    for (const auto& [call, wait] : senders.take()) add(states_.late_receiver, call, wait);
    for (const MatchedCollective& collective : matching.collectives) add(collective);
  }

  WaitStates take() { return states_; }

 private:
  void add(WaitState& state, const Call& call, const CallWait& wait) {
    if (wait.seconds <= 0) return;
    const auto bound = times_.bound(call.rank, wait.other);
    if (!bound) {
      ++states_.clocks_not_known;
      return;
    }
    state.seconds += wait.seconds;
    state.bound_seconds += *bound;
  }

  void add(const MatchedCollective& collective) {
    const EventView event = event_of(collective.calls.front());
    if (event.request != 0) return;
    const CollectiveWaits waits = waits_of(trace_, collective);
    const bool is_barrier = event.function == profile::Function::Barrier;
    if (waits == CollectiveWaits::for_all && is_barrier) wait_for_last(collective, states_.barrier);
    if (waits == CollectiveWaits::for_all && !is_barrier && carries_data(event)) {
      wait_for_last(collective, states_.all_to_all);
    }
    if (waits != CollectiveWaits::for_root && waits != CollectiveWaits::root_for_all) return;
    const auto root = std::ranges::find_if(collective.calls, [&](const Call& call) {
      return event_of(call).root == trace_.ranks[call.rank].rank;
    });
    if (root == collective.calls.end()) return;
    if (waits == CollectiveWaits::root_for_all) {
      add(states_.early_reduce, *root, wait_for(*root, last_of(collective)));
      return;
    }
    for (const Call& call : collective.calls) {
      if (call != *root) add(states_.late_broadcast, call, wait_for(call, *root));
    }
  }

  [[nodiscard]] EventView event_of(const Call& call) const {
    return trace_.ranks[call.rank].events[call.event];
  }
  [[nodiscard]] static bool carries_data(const EventView& event) {
    return profile::describe(event.function).at.volume != profile::Volume::none;
  }

  [[nodiscard]] Call last_of(const MatchedCollective& collective) const {
    return *std::ranges::max_element(collective.calls, {},
                                     [this](const Call& call) { return times_.entered(call); });
  }

  [[nodiscard]] CallWait wait_for(const Call& call, const Call& other) const {
    const double until = std::min(times_.entered(other), times_.left(call));
    return {.seconds = until - times_.entered(call), .other = other.rank};
  }

  void wait_for_last(const MatchedCollective& collective, WaitState& state) {
    const Call last = last_of(collective);
    for (const Call& call : collective.calls) add(state, call, wait_for(call, last));
  }

  const Trace& trace_;
  CallTimes times_;
  WaitStates states_;
};

/// Sums by site; ranks that waited, and were waited for, by their time.
std::vector<SiteWait> by_site(const Trace& trace, const CallWaits& waits) {
  struct Sum {
    SiteWait wait;
    std::map<std::size_t, double> peers;
    std::map<std::size_t, double> ranks;
  };
  std::map<std::pair<profile::Function, std::uint32_t>, Sum> sums;
  for (const auto& [call, wait] : waits) {
    const EventView event = trace.ranks[call.rank].events[call.event];
    Sum& sum = sums[{event.function, event.site}];
    sum.wait.call = "MPI_" + std::string(profile::describe(event.function).name);
    if (event.site != profile::no_index) sum.wait.site = static_cast<int>(event.site);
    sum.wait.seconds += wait.seconds;
    sum.wait.volume.add({1, wait.bytes, wait.bytes, wait.bytes});
    sum.peers[wait.other] += wait.seconds;
    sum.ranks[call.rank] += wait.seconds;
  }
  const auto most = [&](const std::map<std::size_t, double>& times) {
    const auto found =
        std::ranges::max_element(times, {}, [](const auto& one) { return one.second; });
    return trace.ranks[found->first].rank;
  };
  std::vector<SiteWait> listed;
  for (auto& [key, sum] : sums) {
    sum.wait.peer = most(sum.peers);
    sum.wait.rank = most(sum.ranks);
    listed.push_back(std::move(sum.wait));
  }
  std::ranges::stable_sort(listed, std::greater<>(), &SiteWait::seconds);
  return listed;
}

}  // namespace

std::vector<EagerLimits> eager_limits(std::span<const Record> records) {
  std::map<Reach, EagerLimits> found;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    for (const Protocol& protocol : record.protocols) {
      if (!protocol.eager_limit_bytes) continue;
      const Reach reach = reach_of(record, protocol);
      add_limit(found.try_emplace(reach, EagerLimits{.reach = reach}).first->second, protocol);
    }
  }
  std::vector<EagerLimits> listed;
  listed.reserve(found.size());
  for (const auto& [reach, limits] : found) listed.push_back(limits);
  return listed;
}

SendLimits send_limits(std::span<const EagerLimits> limits,
                       const std::map<std::string, std::string>& environment) {
  SendLimits found;
  for (const EagerLimits& of_reach : limits) {
    SendLimit& limit = found.of(of_reach.reach);
    limit.eager = limit.unnoticed = of_reach.least_bytes();
    if (!of_reach.asleep_bytes.empty()) {
      limit.unnoticed = std::min(limit.eager, *of_reach.asleep_bytes.begin());
    }
    if (const auto requested = requested_limit(of_reach, environment))
      limit = limit.with_eager(*requested);
  }
  return found;
}

std::vector<LimitUse> limit_uses(const profile::Profile& profile,
                                 std::span<const EagerLimits> limits) {
  const Nodes nodes = nodes_of(profile);
  std::vector<LimitUse> uses;
  for (const EagerLimits& of_reach : limits) {
    LimitUse use{.limits = of_reach, .messages = {}, .above = {}, .perhaps_above = {}};
    for (const profile::Messages& row : profile.messages) {
      if (!row.to || row.carrier != profile::Carrier::message || *row.to == row.from) continue;
      const bool is_one_node = nodes.of_rank[static_cast<std::size_t>(row.from)] ==
                               nodes.of_rank[static_cast<std::size_t>(*row.to)];
      if (is_one_node == (of_reach.reach == Reach::in_node)) add_use(use, row);
    }
    if (use.messages.count == 0) continue;
    use.just_above = calls_just_above(profile, of_reach);
    uses.push_back(std::move(use));
  }
  return uses;
}

WaitState WaitStates::all() const {
  WaitState sum;
  for (const WaitState* const state :
       {&late_sender, &late_receiver, &barrier, &all_to_all, &early_reduce, &late_broadcast}) {
    sum.seconds += state->seconds;
    sum.bound_seconds += state->bound_seconds;
  }
  return sum;
}

WaitStates wait_states(const Trace& trace, const Matching& matching,
                       const std::map<std::string, HostClock>& clocks) {
  return States(trace, matching, clocks).take();
}

MessageWaits message_waits(const Trace& trace, const Matching& matching,
                           const std::map<std::string, HostClock>& clocks) {
  const CallTimes times(trace, clocks);
  LongestWaits receiving;
  LongestWaits sending;
  std::int64_t eager_bytes = -1;
  for (const MatchedMessage& message : matching.messages) {
    if (!times.bound(message.send.rank, message.arrival.rank)) continue;
    receiving.add(message.arrival,
                  {wait_of_receiver(times, message), message.send.rank, bytes_of(trace, message)});
    sending.add(message.departure, {wait_of_sender(trace, times, message), message.arrival.rank,
                                    bytes_of(trace, message)});
  }
  for (const MatchedMessage& message : matching.messages) {
    if (!times.bound(message.send.rank, message.arrival.rank)) continue;
    const double tick = trace.ranks[message.departure.rank].seconds_per_tick;
    const bool is_eager = times.left(message.departure) + tick < times.entered(message.post);
    if (is_eager) eager_bytes = std::max(eager_bytes, bytes_of(trace, message));
  }
  const CallWaits receivers = receiving.take();
  CallWaits senders = sending.take();
  for (auto& [call, wait] : senders) {
    const auto received =
        std::ranges::lower_bound(receivers, call, {}, [](const auto& one) { return one.first; });
    if (received != receivers.end() && received->first == call) {
      wait.seconds -= received->second.seconds;
    }
  }
  std::erase_if(senders, [](const auto& one) { return one.second.seconds <= 0; });
  return {.receivers = by_site(trace, receivers),
          .senders = by_site(trace, senders),
          .eager_bytes = eager_bytes};
}

}  // namespace hockney::applications
