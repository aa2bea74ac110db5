#include "application/analysis/replay_split.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "application/analysis/critical_path.hpp"

namespace hockney::applications {
namespace {

using profile::Kind;

std::vector<int> nodes_of_ranks(const Trace& trace) {
  std::map<std::string, int> numbers;
  std::vector<int> nodes;
  nodes.reserve(trace.ranks.size());
  for (const RankTrace& rank : trace.ranks) {
    nodes.push_back(numbers.try_emplace(rank.host, static_cast<int>(numbers.size())).first->second);
  }
  return nodes;
}

/// Where messages went as far as no limit is known: none of them waits for its receive.
void note_unknown_limits(const HappensBefore& program, std::span<const EagerLimits> limits,
                         const std::vector<int>& nodes, std::vector<std::string>& notes) {
  for (const Reach reach : {Reach::in_node, Reach::between_nodes}) {
    if (std::ranges::find(limits, reach, &EagerLimits::reach) != limits.end()) continue;
    const auto count = std::ranges::count_if(program.messages, [&](const Transfer& message) {
      const bool is_one_node = nodes[static_cast<std::size_t>(message.from)] ==
                               nodes[static_cast<std::size_t>(message.to)];
      return message.from != message.to && is_one_node == (reach == Reach::in_node);
    });
    if (count == 0) continue;
    const std::string where(word(reach));
    notes.push_back(std::to_string(count) + " messages " + where +
                    " wait for no late receive, protocol may be more: no eager limit " + where +
                    " is known");
  }
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
  bool has_rendezvous = false;
  ReplayedTimes rendezvous;
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
    if (replays.has_rendezvous) rendezvous = sum(replays.rendezvous.waits[rank]);
    ranks.push_back(parts_of(trace.ranks[rank].seconds, computing[rank],
                             sum(replays.ideal.waits[rank]), rendezvous));
  }
  return ranks;
}

/// What calls at one place took and waited in each replay, and what led to them [s].
struct SiteWaits {
  double mpi = 0;
  double ideal = 0;
  double rendezvous = 0;
  double computing = 0;
  PathTimes on_path;
};

/// Function, site and region; no function at the end of a rank.
using SiteKey = std::tuple<profile::Function, std::uint32_t, std::uint32_t>;

constexpr SiteKey end_of_rank{profile::Function::count, profile::no_index, 0};

SiteKey key_of(const profile::Event& event) { return {event.function, event.site, event.region}; }

void add(PathTimes& sum, const PathPiece& piece) {
  sum.computing += piece.computing_seconds;
  sum.transfer += piece.transfer_seconds;
}

std::map<SiteKey, SiteWaits> waits_of_sites(const Trace& trace, const HappensBefore& program,
                                            const Replays& replays) {
  std::map<SiteKey, SiteWaits> found;
  for (std::size_t place = 0; place < trace.ranks.size(); ++place) {
    const RankTrace& rank = trace.ranks[place];
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      const profile::Event& event = rank.events[i];
      SiteWaits& site = found[key_of(event)];
      site.computing += computing_with(rank, i);
      if (profile::describe(event.function).kind == Kind::file) continue;
      site.mpi += static_cast<double>(event.ticks) * rank.seconds_per_tick;
    }
    found[end_of_rank].computing += computing_after(rank);
    for (std::size_t step = 0; step < program.ranks[place].size(); ++step) {
      SiteWaits& waits = found[key_of(rank.events[program.ranks[place][step].event])];
      waits.ideal += replays.ideal.waits[place][step];
      if (replays.has_rendezvous) waits.rendezvous += replays.rendezvous.waits[place][step];
    }
  }
  return found;
}

SiteSplit split_of_site(const SiteKey& key, const SiteWaits& waits, bool has_rendezvous) {
  const auto& [function, site, region] = key;
  const bool is_end = key == end_of_rank;
  SiteSplit split{
      .call = "MPI_" + std::string(is_end ? "Finalize" : profile::describe(function).name),
      .mpi_seconds = waits.mpi,
      .times = {}};
  if (site != profile::no_index) split.site = static_cast<int>(site);
  if (region != 0) split.region = static_cast<int>(region) - 1;
  std::optional<double> rendezvous;
  if (has_rendezvous) rendezvous = waits.rendezvous;
  split.times = parts_of(waits.mpi, 0, waits.ideal, rendezvous);
  split.times.computing = waits.computing;
  split.times.on_path = waits.on_path;
  return split;
}

std::vector<SiteSplit> split_sites(const Trace& trace, const HappensBefore& program,
                                   const Replays& replays, const std::vector<PathPiece>& path) {
  auto found = waits_of_sites(trace, program, replays);
  for (const PathPiece& piece : path) {
    const auto& events = trace.ranks[piece.rank].events;
    add(found[piece.event ? key_of(events[*piece.event]) : end_of_rank].on_path, piece);
  }
  std::vector<SiteSplit> sites;
  sites.reserve(found.size());
  for (const auto& [key, waits] : found) {
    sites.push_back(split_of_site(key, waits, replays.has_rendezvous));
  }
  std::ranges::stable_sort(sites, std::greater<>(), &SiteSplit::mpi_seconds);
  return sites;
}

void add(SplitTimes& sum, const SplitTimes& times) {
  sum.computing += times.computing;
  sum.dependency += times.dependency;
  if (times.protocol) sum.protocol = sum.protocol.value_or(0) + *times.protocol;
  sum.transfer += times.transfer;
  sum.on_path.computing += times.on_path.computing;
  sum.on_path.transfer += times.on_path.transfer;
}

std::vector<RegionSplit> split_regions(const std::vector<SiteSplit>& sites) {
  std::vector<RegionSplit> regions;
  for (const SiteSplit& site : sites) {
    auto found = std::ranges::find(regions, site.region, &RegionSplit::region);
    if (found == regions.end()) found = regions.insert(found, {.region = site.region, .times = {}});
    add(found->times, site.times);
  }
  std::ranges::stable_sort(regions, std::greater<>(), [](const RegionSplit& one) {
    return one.times.on_path.computing + one.times.on_path.transfer;
  });
  return regions;
}

std::optional<double> ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

}  // namespace

std::optional<double> ReplaySplit::serialisation() const {
  return ratio(most_computing, ideal_seconds);
}

std::optional<double> ReplaySplit::transfer() const { return ratio(ideal_seconds, seconds); }

double ReplaySplit::waiting_seconds() const {
  double sum = 0;
  for (const SplitTimes& rank : ranks) sum += rank.dependency + rank.protocol.value_or(0);
  return sum;
}

ReplaySplit split_by_replay(const TraceAnalysis& run, std::span<const EagerLimits> limits,
                            const std::map<std::string, std::string>& environment) {
  const Trace& trace = run.trace();
  const HappensBefore& program = run.program();
  ReplaySplit split;
  split.notes = program.notes;
  ReplayNetwork ideal;
  Replays replays{.ideal = replay(program, ideal), .rendezvous = {}};
  if (!limits.empty()) {
    const std::vector<int> nodes = nodes_of_ranks(trace);
    note_unknown_limits(program, limits, nodes, split.notes);
    RendezvousNetwork rendezvous(send_limits(limits, environment), nodes);
    replays.rendezvous = replay(program, rendezvous);
    replays.has_rendezvous = true;
  }
  const std::vector<double> computing = computing_of(program);
  split.seconds = trace.seconds();
  split.most_computing = std::ranges::max(computing);
  split.ideal_seconds = replays.ideal.seconds;
  if (replays.has_rendezvous) split.rendezvous_seconds = replays.rendezvous.seconds;
  const double mean = sum(computing) / static_cast<double>(computing.size());
  split.load = split.most_computing - mean;
  split.times.computing = mean;
  split.times.dependency = split.ideal_seconds - split.most_computing;
  if (split.rendezvous_seconds) {
    split.times.protocol = *split.rendezvous_seconds - split.ideal_seconds;
  }
  split.times.transfer = split.seconds - split.rendezvous_seconds.value_or(split.ideal_seconds);
  split.ranks = split_ranks(trace, computing, replays);
  const auto path =
      critical_path(trace, program, replays.has_rendezvous ? replays.rendezvous : replays.ideal);
  for (const PathPiece& piece : path) {
    add(split.times.on_path, piece);
    add(split.ranks[piece.rank].on_path, piece);
  }
  split.sites = split_sites(trace, program, replays, path);
  split.regions = split_regions(split.sites);
  return split;
}

}  // namespace hockney::applications
