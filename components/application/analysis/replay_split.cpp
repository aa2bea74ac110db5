#include "components/application/analysis/replay_split.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>

namespace hockney::applications {
namespace {

using models::CollectiveWaits;

/// A step of a rank. The number of its steps means its end.
struct RankStep {
  std::uint32_t rank = 0;
  std::uint32_t step = 0;
};

RankStep place_of(std::size_t rank, std::size_t step) {
  return {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(step)};
}

/// Where each message is sent, each receive posted and each collective entered.
struct ActionSteps {
  std::vector<RankStep> sends;
  std::vector<RankStep> posts;
  std::vector<std::vector<RankStep>> enters;  ///< in the order of the collective's ranks

  explicit ActionSteps(const models::Program& program)
      : sends(program.messages.size()),
        posts(program.messages.size()),
        enters(program.collectives.size()) {
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) {
      for (std::size_t step = 0; step < program.ranks[rank].size(); ++step) {
        add(program.ranks[rank][step], place_of(rank, step));
      }
    }
  }

 private:
  void add(const models::ProgramStep& step, const RankStep& place) {
    if (step.does == models::ProgramStep::Does::sends) sends[step.index] = place;
    if (step.does == models::ProgramStep::Does::receives) posts[step.index] = place;
    if (step.does == models::ProgramStep::Does::enters) enters[step.index].push_back(place);
  }
};

// Measured time of a call, without that of files, which counts as computing.
double inside_mpi(const RankTrace& rank, std::size_t event) {
  const EventView one = rank.events[event];
  if (profile::describe(one.function).kind == profile::Kind::file) return 0;
  return static_cast<double>(one.ticks) * rank.seconds_per_tick;
}

/// One call of a rank on the critical path, and the computing before it.
struct PathPiece {
  std::uint32_t rank = 0;        ///< place in Trace::ranks
  std::uint32_t event = 0;       ///< of that rank; the number of its events: after its last call
  double computing_seconds = 0;  ///< before the call
  double transfer_seconds = 0;   ///< in the call
};

/// The critical path: from the end of the rank that ends last, back along the causes of waits, to
/// the begin of a rank. No rank waits on the path. Its computing is as long as the replay, at most
/// T; its transfer is the rest of T. The transfer of a call that waited begins with its cause, and
/// is at most the time in the call. The piece after the last call has what no call took.
/// `times` are those of a network that costs nothing; the pieces are in the order of the walk.
class CriticalPath {
 public:
  CriticalPath(const TraceAnalysis& run, const models::Program& program,
               const models::ReplayedTimes& times)
      : run_(run), trace_(run.trace()), program_(program), times_(times), actions_(program) {
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) find_steps(rank);
  }

  std::vector<PathPiece> take() {
    std::size_t rank = last_rank();
    std::size_t events = trace_.ranks[rank].events.size();
    add(rank, events, computing_after(trace_.ranks[rank]), 0);
    while (events > 0) {
      const std::size_t event = events - 1;
      const auto waiting = last_wait(rank, event);
      if (!waiting) {
        const RankTrace& own = trace_.ranks[rank];
        add(rank, event, computing_with(own, event), inside_mpi(own, event));
        --events;
        continue;
      }
      const RankStep cause = cause_of(place_of(rank, *waiting));
      add(rank, event, 0, transfer_of(rank, event, *waiting, cause));
      events = go_to(cause);
      rank = cause.rank;
    }
    fit_to_run();
    return std::move(pieces_);
  }

 private:
  void add(std::size_t rank, std::size_t event, double computing, double transfer) {
    pieces_.push_back(
        {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(event), computing, transfer});
  }

  /// The steps of each event.
  void find_steps(std::size_t rank) {
    const auto& steps = program_.ranks[rank];
    std::vector<std::uint32_t>& first = first_.emplace_back();
    const std::size_t events = trace_.ranks[rank].events.size();
    first.reserve(events + 1);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      while (first.size() <= steps[step].event) first.push_back(static_cast<std::uint32_t>(step));
    }
    first.resize(events + 1, static_cast<std::uint32_t>(steps.size()));
  }

  /// Begin of a step in the replay.
  [[nodiscard]] double entered(const RankStep& place) const {
    return times_.entered(program_, place.rank, place.step);
  }

  /// The rank that ends last in the replay; on a tie the one that ran longest.
  [[nodiscard]] std::size_t last_rank() const {
    std::size_t last = 0;
    for (std::size_t rank = 1; rank < trace_.ranks.size(); ++rank) {
      const auto end = [&](std::size_t one) {
        return std::pair(times_.rank_seconds[one], trace_.ranks[one].seconds);
      };
      if (end(rank) > end(last)) last = rank;
    }
    return last;
  }

  /// The last step of a call with a wait.
  [[nodiscard]] std::optional<std::size_t> last_wait(std::size_t rank, std::size_t event) const {
    for (std::size_t step = first_[rank][event + 1]; step > first_[rank][event]; --step) {
      if (times_.wait(program_, rank, step - 1) > 0) return step - 1;
    }
    return std::nullopt;
  }

  /// Time of a call that waited, after its cause: 0 up to the whole call. By the clocks of both
  /// ranks if their error is known, else the call without the replay's wait.
  [[nodiscard]] double transfer_of(std::size_t rank, std::size_t event, std::size_t step,
                                   const RankStep& cause) const {
    const RankTrace& own = trace_.ranks[rank];
    const double inside = inside_mpi(own, event);
    const auto lead = run_.lead_of(rank, cause.rank);
    const double after = lead ? own.end_of(own.events[event]) + *lead - entered_at(cause)
                              : inside - times_.wait(program_, rank, step);
    return std::clamp(after, 0.0, inside);
  }

  /// Measured begin of a step of a rank, since its own begin.
  [[nodiscard]] double entered_at(const RankStep& place) const {
    const RankTrace& rank = trace_.ranks[place.rank];
    if (place.step == program_.ranks[place.rank].size()) return rank.seconds;
    return rank.begin_of(rank.events[program_.ranks[place.rank][place.step].event]);
  }

  /// Computing and transfer of the path are T: clocks have errors, and ranks do not begin together
  /// to the microsecond. What no call of the path took is after the last one.
  void fit_to_run() {
    PathTimes sum;
    for (const PathPiece& piece : pieces_) {
      sum.computing += piece.computing_seconds;
      sum.transfer += piece.transfer_seconds;
    }
    const double whole = trace_.seconds();
    const double computing = std::min(sum.computing, whole);
    const double transfer = whole - computing;
    const double computing_scale = sum.computing > whole ? whole / sum.computing : 1;
    const double transfer_scale = sum.transfer > transfer ? transfer / sum.transfer : 1;
    for (PathPiece& piece : pieces_) {
      piece.computing_seconds *= computing_scale;
      piece.transfer_seconds *= transfer_scale;
    }
    pieces_.front().transfer_seconds += std::max(0.0, transfer - sum.transfer);
  }

  /// Walks back to a place. Computing on the way belongs to the path; the call at the place does
  /// not. Returns the number of events before the place.
  std::size_t go_to(const RankStep& place) {
    const RankTrace& rank = trace_.ranks[place.rank];
    if (place.step == program_.ranks[place.rank].size()) {
      add(place.rank, rank.events.size(), computing_after(rank), 0);
      return rank.events.size();
    }
    const std::size_t event = program_.ranks[place.rank][place.step].event;
    add(place.rank, event, computing_with(rank, event), 0);
    return event;
  }

  /// The cause of a wait: the place that ends it.
  [[nodiscard]] RankStep cause_of(const RankStep& waiting) const {
    const models::ProgramStep& step = program_.ranks[waiting.rank][waiting.step];
    if (step.needs == models::ProgramStep::Needs::received) return actions_.sends[step.index];
    if (step.needs == models::ProgramStep::Needs::left) return cause_in(step.index, waiting);
    const RankStep& post = actions_.posts[step.index];
    const double at = times_.left[waiting.rank][waiting.step];
    if (entered(post) == at) return post;
    // The receiver took the message while it was inside MPI for another reason.
    const auto steps = std::views::iota(std::size_t{0}, program_.ranks[post.rank].size());
    const auto look = std::ranges::partition_point(
        steps, [&](std::size_t one) { return entered(place_of(post.rank, one)) < at; });
    return place_of(post.rank, static_cast<std::size_t>(look - steps.begin()));
  }

  /// The last of the ranks that a rank of a collective waits for.
  [[nodiscard]] RankStep cause_in(std::uint32_t index, const RankStep& waiting) const {
    const models::CollectiveCall& call = program_.collectives[index];
    const std::vector<RankStep>& places = actions_.enters[index];
    if (call.waits == CollectiveWaits::for_root) return places[static_cast<std::size_t>(call.root)];
    RankStep last = places.front();
    for (const RankStep& place : places) {
      if (call.waits == CollectiveWaits::for_lower_ranks && place.rank > waiting.rank) break;
      if (entered(place) > entered(last)) last = place;
    }
    return last;
  }

  const TraceAnalysis& run_;
  const Trace& trace_;
  const models::Program& program_;
  const models::ReplayedTimes& times_;
  ActionSteps actions_;
  std::vector<std::vector<std::uint32_t>> first_;  ///< of each rank and event, its first step
  std::vector<PathPiece> pieces_;
};

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

/// Notes the reaches without a known limit: there no message waits for its receive.
void note_unknown_limits(const models::Program& program, std::span<const EagerLimits> limits,
                         const std::vector<int>& nodes, std::vector<std::string>& notes) {
  for (const Reach reach : {Reach::in_node, Reach::between_nodes}) {
    if (std::ranges::find(limits, reach, &EagerLimits::reach) != limits.end()) continue;
    const auto count = std::ranges::count_if(program.messages, [&](const models::Message& message) {
      const bool is_one_node = nodes[static_cast<std::size_t>(message.from)] ==
                               nodes[static_cast<std::size_t>(message.to)];
      return message.from != message.to && is_one_node == (reach == Reach::in_node);
    });
    if (count == 0) continue;
    notes.push_back(fmt::format(
        "{0} messages {1} wait for no late receive, protocol may be more: no eager limit {1} is "
        "known",
        count, word(reach)));
  }
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Both replays, with the waits of each step.
struct Replays {
  models::ReplayedTimes ideal;
  bool has_rendezvous = false;
  models::ReplayedTimes rendezvous;
};

/// Computing, waiting, and the rest of `whole` as transfer. No part is negative: in the run a rank
/// that was late by transfer waited less than in the replay, and one that waits for receives may
/// wait less for others. `lost`: without a CPU, at most the rest.
SplitTimes parts_of(double whole, double computing, double ideal_wait,
                    const std::optional<double>& rendezvous_wait, double lost = 0) {
  const double in_mpi = std::max(0.0, whole - computing);
  const double waiting = std::min(rendezvous_wait.value_or(ideal_wait), in_mpi);
  SplitTimes times{.computing = computing, .dependency = std::min(ideal_wait, waiting)};
  if (rendezvous_wait) times.protocol = waiting - times.dependency;
  const double rest = in_mpi - waiting;
  times.not_scheduled = std::clamp(lost, 0.0, rest);
  times.transfer = rest - times.not_scheduled;
  return times;
}

/// Factor on the computing of each rank that leaves the time with a CPU.
std::vector<double> scheduled_shares(const std::vector<double>& computing,
                                     std::span<const NotScheduled> lost) {
  std::vector<double> shares;
  for (std::size_t rank = 0; rank < computing.size(); ++rank) {
    const double left = computing[rank] - lost[rank].computing_seconds;
    shares.push_back(computing[rank] > 0 ? std::max(left, 0.0) / computing[rank] : 1);
  }
  return shares;
}

double sum_of_waits(const models::Program& program, const models::ReplayedTimes& times,
                    std::size_t rank) {
  double seconds = 0;
  for (std::size_t step = 0; step < times.left[rank].size(); ++step) {
    seconds += times.wait(program, rank, step);
  }
  return seconds;
}

std::vector<SplitTimes> split_ranks(const Trace& trace, const models::Program& program,
                                    const std::vector<double>& computing, const Replays& replays,
                                    std::span<const NotScheduled> lost) {
  std::vector<SplitTimes> ranks;
  for (std::size_t rank = 0; rank < computing.size(); ++rank) {
    std::optional<double> rendezvous;
    if (replays.has_rendezvous) rendezvous = sum_of_waits(program, replays.rendezvous, rank);
    ranks.push_back(parts_of(trace.ranks[rank].seconds, computing[rank],
                             sum_of_waits(program, replays.ideal, rank), rendezvous,
                             lost.empty() ? 0 : lost[rank].seconds()));
  }
  return ranks;
}

/// Times and waits of the calls at one place in each replay, and the computing before them [s].
struct SiteWaits {
  double mpi = 0;
  double ideal = 0;
  double rendezvous = 0;
  double computing = 0;
  PathTimes on_path;
};

/// Function, site and region; `end_of_rank` after the last call.
using SiteKey = std::tuple<profile::Function, std::uint32_t, std::uint32_t>;

constexpr SiteKey end_of_rank{profile::Function::count, profile::no_index, 0};

SiteKey key_of(const EventView& event) { return {event.function, event.site, event.region}; }

void add(PathTimes& sum, const PathPiece& piece) {
  sum.computing += piece.computing_seconds;
  sum.transfer += piece.transfer_seconds;
}

std::map<SiteKey, SiteWaits> waits_of_sites(const Trace& trace, const models::Program& program,
                                            const Replays& replays) {
  std::map<SiteKey, SiteWaits> found;
  for (std::size_t place = 0; place < trace.ranks.size(); ++place) {
    const RankTrace& rank = trace.ranks[place];
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      const EventView event = rank.events[i];
      SiteWaits& site = found[key_of(event)];
      site.computing += computing_with(rank, i);
      if (profile::describe(event.function).kind == Kind::file) continue;
      site.mpi += static_cast<double>(event.ticks) * rank.seconds_per_tick;
    }
    found[end_of_rank].computing += computing_after(rank);
    for (std::size_t step = 0; step < program.ranks[place].size(); ++step) {
      SiteWaits& waits = found[key_of(rank.events[program.ranks[place][step].event])];
      waits.ideal += replays.ideal.wait(program, place, step);
      if (replays.has_rendezvous) waits.rendezvous += replays.rendezvous.wait(program, place, step);
    }
  }
  return found;
}

SiteSplit split_of_site(const SiteKey& key, const SiteWaits& waits, bool has_rendezvous) {
  const auto& [function, site, region] = key;
  const bool is_end = key == end_of_rank;
  SiteSplit split{
      .call = fmt::format("MPI_{}", is_end ? "Finalize" : profile::describe(function).name),
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

std::vector<SiteSplit> split_sites(const Trace& trace, const models::Program& program,
                                   const Replays& replays, const std::vector<PathPiece>& path) {
  auto found = waits_of_sites(trace, program, replays);
  for (const PathPiece& piece : path) {
    const EventList& events = trace.ranks[piece.rank].events;
    const bool is_end = piece.event == events.size();
    add(found[is_end ? end_of_rank : key_of(events[piece.event])].on_path, piece);
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
  sum.not_scheduled += times.not_scheduled;
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

/// Replays of a program on networks that cost nothing.
Replays replays_of(const models::Program& program, const std::optional<SendLimits>& limits,
                   const std::vector<int>& nodes, std::span<const double> factors = {}) {
  models::ReplayNetwork ideal;
  Replays replays{.ideal = replay(program, ideal, factors), .rendezvous = {}};
  if (!limits) return replays;
  RendezvousNetwork rendezvous(*limits, nodes);
  replays.rendezvous = replay(program, rendezvous, factors);
  replays.has_rendezvous = true;
  return replays;
}

/// Splits T. `replays`: of ranks that compute for `computing`; `lost`: as in split_by_replay().
void split_run(ReplaySplit& split, const std::vector<double>& computing, const Replays& replays,
               std::span<const NotScheduled> lost) {
  split.most_computing = std::min(std::ranges::max(computing), split.seconds);
  split.ideal_seconds = std::clamp(replays.ideal.seconds, split.most_computing, split.seconds);
  if (replays.has_rendezvous) {
    split.rendezvous_seconds =
        std::clamp(replays.rendezvous.seconds, split.ideal_seconds, split.seconds);
  }
  const auto ranks = static_cast<double>(computing.size());
  const double mean = sum(computing) / ranks;
  double mean_lost = 0;
  for (const NotScheduled& one : lost) mean_lost += one.seconds() / ranks;
  split.load = split.most_computing - mean;
  split.times.computing = mean;
  split.times.dependency = split.ideal_seconds - split.most_computing;
  if (split.rendezvous_seconds) {
    split.times.protocol = *split.rendezvous_seconds - split.ideal_seconds;
  }
  const double rest = split.seconds - split.rendezvous_seconds.value_or(split.ideal_seconds);
  split.times.not_scheduled = std::clamp(mean_lost, 0.0, std::max(rest, 0.0));
  split.times.transfer = rest - split.times.not_scheduled;
}

}  // namespace

std::vector<double> computing_of(const models::Program& program) {
  std::vector<double> seconds = program.tail_seconds;
  for (std::size_t rank = 0; rank < seconds.size(); ++rank) {
    for (const models::ProgramStep& step : program.ranks[rank])
      seconds[rank] += step.computing_seconds;
  }
  return seconds;
}

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
                            const std::map<std::string, std::string>& environment,
                            std::span<const NotScheduled> lost) {
  const Trace& trace = run.trace();
  const models::Program& measured = run.program();
  ReplaySplit split;
  split.notes = measured.notes;
  constexpr double worth_a_note = 1e-3;
  if (run.rate_change() > worth_a_note) {
    split.notes.push_back(fmt::format(
        "clocks of ranks ran at rates up to {:.2g} % apart: corrected by their messages",
        100 * run.rate_change()));
  }
  split.seconds = trace.seconds();
  const std::vector<int> nodes = nodes_of_ranks(trace);
  std::optional<SendLimits> sending;
  if (!limits.empty()) {
    note_unknown_limits(measured, limits, nodes, split.notes);
    sending = send_limits(limits, environment);
  }
  Replays replays = replays_of(measured, sending, nodes);
  const auto path =
      CriticalPath(run, measured, sending ? replays.rendezvous : replays.ideal).take();
  std::vector<double> computing = computing_of(measured);
  if (!lost.empty()) {
    const std::vector<double> shares = scheduled_shares(computing, lost);
    for (std::size_t rank = 0; rank < computing.size(); ++rank) computing[rank] *= shares[rank];
    replays = {};
    replays = replays_of(measured, sending, nodes, shares);
  }
  split_run(split, computing, replays, lost);
  split.ranks = split_ranks(trace, measured, computing, replays, lost);
  for (const PathPiece& piece : path) {
    add(split.times.on_path, piece);
    add(split.ranks[piece.rank].on_path, piece);
  }
  split.sites = split_sites(trace, measured, replays, path);
  split.regions = split_regions(split.sites);
  return split;
}

}  // namespace hockney::applications
