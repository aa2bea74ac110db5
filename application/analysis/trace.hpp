#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "application/profile/event_log.hpp"
#include "application/profile/profile.hpp"

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

}  // namespace hockney::applications
