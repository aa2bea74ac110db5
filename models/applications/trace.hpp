#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/event_log.hpp"
#include "profile/profile.hpp"

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
  std::int64_t not_logged = 0;  ///< calls at the end, since there was no memory for them

  [[nodiscard]] bool is_whole() const {
    return not_logged == 0 && static_cast<int>(ranks.size()) == world_ranks;
  }
};

/// The events beside a profile; InputError when they cannot be read or are of no such file.
Trace load_trace(const std::string& events_file);

}  // namespace hockney::applications
