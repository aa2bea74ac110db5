#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "components/application/analysis/findings.hpp"
#include "core/error.hpp"

// What a log says beyond its split: where ranks compute, and replays with equal computing and with
// senders that wait.
namespace hockney::applications {

bool is_synchronous(const std::string& call) {
  return call == "MPI_Ssend" || call == "MPI_Issend" || call == "MPI_Ssend_init";
}

namespace {

/// Whether a sender that MPI does not order to wait waited for more than `least` [s].
bool waits_for_receives(const MessageWaits& waits, double least) {
  double seconds = 0;
  for (const SiteWait& wait : waits.senders) {
    if (!is_synchronous(wait.call) && wait.volume.max_bytes > waits.eager_bytes) {
      seconds += wait.seconds;
    }
  }
  return seconds > least;
}

/// Replays the program with senders that wait for receives of messages that were not seen to be
/// eager. `factors`: on the computing of each rank. Adds nothing if ranks would deadlock: then
/// these messages were eager.
void add_late_receives(const TraceAnalysis& run, std::span<const double> factors,
                       std::span<const std::optional<int>> sites, LogFacts& facts) {
  const Trace& trace = run.trace();
  const models::Program& program = run.program();
  constexpr double least = 0.005;  // of the time of all ranks
  const double all = trace.seconds() * static_cast<double>(trace.ranks.size());
  if (!waits_for_receives(facts.waits, least * all)) return;
  const std::int64_t limit = std::max<std::int64_t>(facts.waits.eager_bytes, 0);
  const SendLimits limits{{limit, limit}, {limit, limit}};
  models::ReplayNetwork ideal;
  const models::ReplayedTimes at_once = replay(program, ideal, factors);
  RendezvousNetwork rendezvous(limits, std::vector<int>(trace.ranks.size()));
  models::ReplayedTimes waiting;
  try {
    waiting = replay(program, rendezvous, factors);
  } catch (const RunError&) {
    return;
  }
  std::map<std::pair<profile::Function, std::uint32_t>, double> held_up;
  for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) {
    for (std::size_t step = 0; step < program.ranks[rank].size(); ++step) {
      const EventView event = trace.ranks[rank].events[program.ranks[rank][step].event];
      held_up[{event.function, event.site}] +=
          waiting.wait(program, rank, step) - at_once.wait(program, rank, step);
    }
  }
  for (const auto& [place, seconds] : held_up) {
    const auto& [function, site] = place;
    LogFacts::HeldUp one{.call = "MPI_" + std::string(profile::describe(function).name),
                         .site = {},
                         .seconds = seconds};
    if (site != profile::no_index) one.site = sites[site];
    facts.held_up.push_back(std::move(one));
  }
  facts.late_receive_seconds = waiting.seconds - at_once.seconds;
}

/// Replays with equal computing, and with senders that wait.
void add_replays(const TraceAnalysis& run, std::span<const std::optional<int>> sites,
                 std::span<const NotScheduled> lost, LogFacts& facts) {
  const std::vector<double> computing = computing_of(run.program());
  std::vector<double> scheduled = computing;
  for (std::size_t rank = 0; rank < lost.size(); ++rank) {
    scheduled[rank] = std::max(0.0, computing[rank] - lost[rank].computing_seconds);
  }
  const double mean = std::accumulate(scheduled.begin(), scheduled.end(), 0.0) /
                      static_cast<double>(scheduled.size());
  std::vector<double> to_mean;
  std::vector<double> to_scheduled;
  for (std::size_t rank = 0; rank < computing.size(); ++rank) {
    const bool computes = computing[rank] > 0;
    to_mean.push_back(computes ? mean / computing[rank] : 1);
    to_scheduled.push_back(computes ? scheduled[rank] / computing[rank] : 1);
  }
  models::ReplayNetwork ideal;
  facts.balanced_seconds = replay(run.program(), ideal, to_mean).seconds;
  add_late_receives(run, to_scheduled, sites, facts);
}

/// The call site before which a rank computes most.
LogFacts::Computing longest_computing(const RankTrace& rank,
                                      std::span<const std::optional<int>> sites,
                                      std::span<const std::optional<int>> regions) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, LogFacts::Computing> found;
  LogFacts::Computing longest;
  for (std::size_t i = 0; i < rank.events.size(); ++i) {
    const EventView event = rank.events[i];
    LogFacts::Computing& one = found[{event.site, event.region}];
    one.call = "MPI_" + std::string(profile::describe(event.function).name);
    if (event.site != profile::no_index) one.site = sites[event.site];
    if (event.region != 0) one.region = regions[event.region - 1];
    one.seconds += computing_with(rank, i);
    if (one.seconds > longest.seconds) longest = one;
  }
  return longest;
}

/// Replaces the trace's sites by those of the profile.
void rename_sites(std::vector<SiteWait>& waits, std::span<const std::optional<int>> sites) {
  for (SiteWait& wait : waits) {
    if (wait.site) wait.site = sites[static_cast<std::size_t>(*wait.site)];
  }
}

}  // namespace

LogFacts log_facts(const TraceAnalysis& run, std::span<const std::optional<int>> sites,
                   std::span<const std::optional<int>> regions,
                   std::span<const NotScheduled> lost) {
  const Trace& trace = run.trace();
  LogFacts facts;
  for (const RankTrace& rank : trace.ranks) {
    facts.longest.push_back(longest_computing(rank, sites, regions));
  }
  facts.waits = message_waits(trace, run.matching(), run.clocks());
  rename_sites(facts.waits.receivers, sites);
  rename_sites(facts.waits.senders, sites);
  add_replays(run, sites, lost, facts);
  return facts;
}

}  // namespace hockney::applications
