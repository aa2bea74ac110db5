#include "models/applications/replay_split.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace hockney::applications {
namespace {

using profile::Kind;

std::vector<int> nodes_of_ranks(const Trace& trace) {
  std::map<std::string, int> numbers;
  std::vector<int> nodes;
  for (const RankTrace& rank : trace.ranks) {
    nodes.push_back(numbers.try_emplace(rank.host, static_cast<int>(numbers.size())).first->second);
  }
  return nodes;
}

SendLimits send_limits(std::span<const EagerLimits> limits) {
  SendLimits found;
  for (const EagerLimits& of_reach : limits) {
    (of_reach.reach == Reach::in_node ? found.in_node : found.between_nodes) =
        of_reach.least_bytes();
  }
  return found;
}

std::vector<double> computing_of(const HappensBefore& program) {
  std::vector<double> seconds = program.tail_seconds;
  for (std::size_t rank = 0; rank < seconds.size(); ++rank) {
    for (const ProgramStep& step : program.ranks[rank]) seconds[rank] += step.computing_seconds;
  }
  return seconds;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Both replays, and how long each step waits in them.
struct Replays {
  ReplayedTimes ideal;
  std::optional<ReplayedTimes> rendezvous;
};

/// Fills in what is left of `whole` after computing and waiting.
SplitTimes parts_of(double whole, double computing, double ideal_wait,
                    const std::optional<double>& rendezvous_wait) {
  SplitTimes times{.computing = computing, .dependency = ideal_wait};
  if (rendezvous_wait) times.protocol = *rendezvous_wait - ideal_wait;
  times.transfer = whole - computing - ideal_wait - times.protocol.value_or(0);
  return times;
}

std::vector<SplitTimes> split_ranks(const Trace& trace, const std::vector<double>& computing,
                                    const Replays& replays) {
  std::vector<SplitTimes> ranks;
  for (std::size_t rank = 0; rank < computing.size(); ++rank) {
    std::optional<double> rendezvous;
    if (replays.rendezvous) rendezvous = sum(replays.rendezvous->waits[rank]);
    ranks.push_back(parts_of(trace.ranks[rank].seconds, computing[rank],
                             sum(replays.ideal.waits[rank]), rendezvous));
  }
  return ranks;
}

/// What calls at one place waited in each replay.
struct SiteWaits {
  double mpi = 0;
  double ideal = 0;
  double rendezvous = 0;
};

std::vector<SiteSplit> split_sites(const Trace& trace, const HappensBefore& program,
                                   const Replays& replays) {
  using Key = std::tuple<profile::Function, std::uint32_t, std::uint32_t>;
  const auto key_of = [](const profile::Event& event) {
    return Key{event.function, event.site, event.region};
  };
  std::map<Key, SiteWaits> found;
  for (std::size_t place = 0; place < trace.ranks.size(); ++place) {
    const RankTrace& rank = trace.ranks[place];
    for (const profile::Event& event : rank.events) {
      if (profile::describe(event.function).kind == Kind::file) continue;
      found[key_of(event)].mpi += static_cast<double>(event.ticks) * rank.seconds_per_tick;
    }
    for (std::size_t step = 0; step < program.ranks[place].size(); ++step) {
      SiteWaits& waits = found[key_of(rank.events[program.ranks[place][step].event])];
      waits.ideal += replays.ideal.waits[place][step];
      if (replays.rendezvous) waits.rendezvous += replays.rendezvous->waits[place][step];
    }
  }
  std::vector<SiteSplit> sites;
  for (const auto& [key, waits] : found) {
    const auto [function, site, region] = key;
    std::optional<double> rendezvous;
    if (replays.rendezvous) rendezvous = waits.rendezvous;
    sites.push_back(
        {.call = "MPI_" + std::string(profile::describe(function).name),
         .site = site == profile::no_index ? std::nullopt : std::optional(static_cast<int>(site)),
         .region = region == 0 ? std::nullopt : std::optional(static_cast<int>(region) - 1),
         .mpi_seconds = waits.mpi,
         .times = parts_of(waits.mpi, 0, waits.ideal, rendezvous)});
  }
  std::ranges::stable_sort(sites, std::greater<>(), &SiteSplit::mpi_seconds);
  return sites;
}

std::optional<double> ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

}  // namespace

std::optional<double> ReplaySplit::serialisation() const {
  return ratio(most_computing, ideal_seconds);
}

std::optional<double> ReplaySplit::transfer() const { return ratio(ideal_seconds, seconds); }

ReplaySplit split_by_replay(const Trace& trace, std::span<const EagerLimits> limits) {
  const HappensBefore program = happens_before(trace);
  ReplayNetwork ideal;
  Replays replays{.ideal = replay(program, ideal), .rendezvous = std::nullopt};
  if (!limits.empty()) {
    RendezvousNetwork rendezvous(send_limits(limits), nodes_of_ranks(trace));
    replays.rendezvous = replay(program, rendezvous);
  }
  const std::vector<double> computing = computing_of(program);
  ReplaySplit split;
  for (const RankTrace& rank : trace.ranks) split.seconds = std::max(split.seconds, rank.seconds);
  split.most_computing = std::ranges::max(computing);
  split.ideal_seconds = replays.ideal.seconds;
  if (replays.rendezvous) split.rendezvous_seconds = replays.rendezvous->seconds;
  const double mean = sum(computing) / static_cast<double>(computing.size());
  split.load = split.most_computing - mean;
  split.times.computing = mean;
  split.times.dependency = split.ideal_seconds - split.most_computing;
  if (split.rendezvous_seconds) {
    split.times.protocol = *split.rendezvous_seconds - split.ideal_seconds;
  }
  split.times.transfer = split.seconds - split.rendezvous_seconds.value_or(split.ideal_seconds);
  split.ranks = split_ranks(trace, computing, replays);
  split.sites = split_sites(trace, program, replays);
  split.notes = program.notes;
  return split;
}

}  // namespace hockney::applications
