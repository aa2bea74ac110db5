#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/event_list.hpp"
#include "components/application/profile/profile.hpp"
#include "core/error.hpp"
#include "models/replay.hpp"

namespace hockney::applications {

/// Calls of one rank, in order.
struct RankTrace {
  int rank = 0;
  std::string host;
  double begin_seconds = 0;     ///< end of MPI_Init, by the clock of the host
  double seconds = 0;           ///< until MPI_Finalize
  double seconds_per_tick = 0;  ///< duration of a tick of the events
  std::int64_t begin_ticks = 0;
  EventList events;         ///< their rows index this trace's tables
  std::string own_clock{};  ///< set if it cannot be that of its host

  /// Name of the clock of its times. Ranks of one host share a clock.
  [[nodiscard]] const std::string& clock() const { return own_clock.empty() ? host : own_clock; }
  /// Time from the end of MPI_Init to the begin of an event [s].
  [[nodiscard]] double begin_of(const EventView& event) const {
    return static_cast<double>(event.begin - begin_ticks) * seconds_per_tick;
  }
  [[nodiscard]] double end_of(const EventView& event) const {
    return static_cast<double>(event.end() - begin_ticks) * seconds_per_tick;
  }
};

/// Calls of all ranks of one run of a program.
struct Trace {
  int world_ranks = 0;
  std::vector<RankTrace> ranks;  ///< in order; ranks without a log are missing
  std::vector<profile::Communicator> communicators;
  std::vector<profile::Site> sites;
  std::vector<profile::Region> regions;
  std::int64_t logged = 0;      ///< calls logged, including those whose log was lost later
  std::int64_t not_logged = 0;  ///< calls at the end, for lack of memory
  std::string identity;         ///< of the world; empty in older logs

  [[nodiscard]] bool is_whole() const {
    return not_logged == 0 && static_cast<int>(ranks.size()) == world_ranks;
  }
  /// Time of the rank that ran longest [s].
  [[nodiscard]] double seconds() const;
  /// Hosts of the ranks, in order.
  [[nodiscard]] std::vector<std::string> hosts() const;
};

/// The log of events belongs to another run than the profile beside it.
class ForeignLog : public InputError {
 public:
  using InputError::InputError;
};

/// Reads a log of events. InputError if the file cannot be read or is no such log.
Trace load_trace(const std::string& events_file);

/// The events beside a profile. ForeignLog if the two differ in the run's identity, the number of
/// ranks or the number of logged calls.
Trace load_trace(const profile::Profile& profile, const std::string& profile_file);

/// One call of one rank: index into Trace::ranks, and into that rank's events.
struct Call {
  Call() = default;
  Call(std::size_t rank_place, std::size_t event_place)
      : rank(static_cast<std::uint32_t>(rank_place)),
        event(static_cast<std::uint32_t>(event_place)) {}

  std::uint32_t rank = 0;
  std::uint32_t event = 0;

  friend auto operator<=>(const Call&, const Call&) = default;
};

/// When a call began and ended: by the clocks of hosts, or by that of the first rank where
/// correct_clock_rates() was called [s].
double begin_of_call(const Trace& trace, const Call& call);
double end_of_call(const Trace& trace, const Call& call);

/// A message and its calls.
struct MatchedMessage {
  Call send;
  Call departure;  ///< completed the send; equals `send` for a blocking one
  Call post;       ///< posted the receive; equals `arrival` for a blocking one
  Call arrival;    ///< completed the receive
};

std::int64_t bytes_of(const Trace& trace, const MatchedMessage& message);

/// One collective, with the call of each of its ranks.
struct MatchedCollective {
  std::vector<Call> calls;  ///< one per rank, in order of the ranks
};

/// Matches calls by MPI's order alone. For each communicator, sender and tag, the k-th message
/// belongs to the k-th receive posted for it. On each communicator, the k-th collectives of all
/// ranks belong together.
struct Matching {
  std::vector<MatchedMessage> messages;
  std::vector<MatchedCollective> collectives;
  std::int64_t sends_alone = 0;     ///< the receive is missing, though the receiver has a log
  std::int64_t receives_alone = 0;  ///< the send is missing
};

Matching match(const Trace& trace);

/// For a call that carries data: `for_no_rank` if no rank contributes any.
models::CollectiveWaits waits_of(const Trace& trace, const MatchedCollective& collective);

/// Whether all ranks of a communicator make the call together, and may wait in it or in the
/// completion of its request. False for MPI_Comm_idup: the log lacks its request.
bool is_collective(const EventView& event);

/// Add the offset to a clock's times to compare them with those of the first rank's clock.
struct HostClock {
  double offset_seconds = 0;
  /// Largest error of the offset [s]; 0 for the first rank's clock. nullopt if no messages bound
  /// it, or if they contradict every constant offset.
  std::optional<double> bound_seconds;
};

/// Clocks are off by more than this if messages arrive before they were sent by more than this:
/// readings have errors of their own [s].
inline constexpr double clock_tolerance = 1e-6;

/// Corrects clocks that run at different rates, from the messages and synchronising collectives of
/// the log alone. If these contradict clocks that differ by a constant for each host, every rank
/// gets a clock of its own, at the rate of the first rank's. Ranks that no rate explains keep
/// theirs. Nothing changes if there is no contradiction. Returns the largest change of a rate.
double correct_clock_rates(Trace& trace, const Matching& matching);

/// Offsets of the clocks, by name, if they differ by a constant. A message arrives
/// after it was sent, and no rank leaves a synchronising collective before all have entered. Both
/// bound the offset of two hosts, also by way of other hosts; the middle is taken. A host without
/// such bounds is assumed to begin together with the first rank.
std::map<std::string, HostClock> align_clocks(const Trace& trace, const Matching& matching);

/// Whether no rank can leave the collective before all have entered, for any amount of data. True
/// for blocking barriers, and for blocking calls that bring data from each rank to every other.
/// False for calls with irregular counts, as some may be 0. False for those that make communicators
/// or windows.
bool synchronises(const EventView& event);

}  // namespace hockney::applications
