#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "application/profile/event_log.hpp"
#include "application/profile/profile.hpp"
#include "core/error.hpp"

namespace hockney::applications {

/// The calls of one rank in their order.
struct RankTrace {
  int rank = 0;
  std::string host;
  double begin_seconds = 0;     ///< end of MPI_Init, by the clock of the host
  double seconds = 0;           ///< until MPI_Finalize
  double seconds_per_tick = 0;  ///< of the events
  std::int64_t begin_ticks = 0;
  std::vector<profile::Event> events;  ///< whose rows are those of the trace

  /// From the end of MPI_Init to the begin of an event [s].
  [[nodiscard]] double begin_of(const profile::Event& event) const {
    return static_cast<double>(event.begin - begin_ticks) * seconds_per_tick;
  }
  [[nodiscard]] double end_of(const profile::Event& event) const {
    return static_cast<double>(event.end() - begin_ticks) * seconds_per_tick;
  }
};

/// The calls of all ranks of one run of a program.
struct Trace {
  int world_ranks = 0;
  std::vector<RankTrace> ranks;  ///< in order; those that left no log are missing
  std::vector<profile::Communicator> communicators;
  std::vector<profile::Site> sites;
  std::vector<profile::Region> regions;
  std::int64_t logged = 0;      ///< calls that were logged, also those whose log was lost later
  std::int64_t not_logged = 0;  ///< calls at the end, since there was no memory for them
  std::string identity;         ///< of the world; empty: of an older log

  [[nodiscard]] bool is_whole() const {
    return not_logged == 0 && static_cast<int>(ranks.size()) == world_ranks;
  }
  /// Of the rank that ran longest.
  [[nodiscard]] double seconds() const;
  /// Those of the ranks, in order.
  [[nodiscard]] std::vector<std::string> hosts() const;
};

/// A log of events that belongs to another run than the profile beside it.
class ForeignLog : public InputError {
 public:
  using InputError::InputError;
};

/// The events in a file; InputError when they cannot be read or are of no such file.
Trace load_trace(const std::string& events_file);

/// The events beside a profile; ForeignLog where they differ from it in the identity of the run,
/// or in the number of ranks or logged calls.
Trace load_trace(const profile::Profile& profile, const std::string& profile_file);

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

/// What is to be added to times of a host so that they compare with those of the first rank's.
struct HostClock {
  double offset_seconds = 0;
  /// The offset is off by no more [s]; 0 for the first rank's host, nullopt where no messages say.
  std::optional<double> bound_seconds;
};

/// The clocks of hosts that differ by a constant, each by its name. Nothing arrives before it was
/// sent: messages both ways, and collectives that no rank leaves before all have entered, hold the
/// offset of two hosts between two bounds, over hosts between them too, in whose middle it is
/// taken. A host that none of these joins to others begins when the first rank's does.
std::map<std::string, HostClock> align_clocks(const Trace& trace, const Matching& matching);

/// Whether no rank can leave the collective before all have entered it, whatever the others hand
/// over: barriers, and what brings data of each rank to each other one. Blocking calls alone; not
/// those with irregular counts, some of which may be 0, nor what makes communicators and windows.
bool synchronises(const profile::Event& event);

}  // namespace hockney::applications
