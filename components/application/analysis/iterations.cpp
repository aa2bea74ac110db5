#include "components/application/analysis/iterations.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "components/application/analysis/call_loop.hpp"

namespace hockney::applications {

std::vector<double> rank_begins(const TraceAnalysis& run) {
  const Trace& trace = run.trace();
  std::vector<double> begins;
  begins.reserve(trace.ranks.size());
  for (const RankTrace& rank : trace.ranks) {
    begins.push_back(rank.begin_seconds + run.clocks().at(rank.clock()).offset_seconds);
  }
  const double first = *std::ranges::min_element(begins);
  for (double& begin : begins) begin -= first;
  return begins;
}

namespace {

using profile::Kind;

bool is_unsuccessful(const EventView& event) {
  switch (profile::describe(event.function).kind) {
    case Kind::test:
    case Kind::test_all:
    case Kind::test_any:
    case Kind::test_some:
      return event.completed.empty();
    case Kind::probe:
      return event.function == profile::Function::Iprobe && event.received.rank < 0;
    default:
      return false;
  }
}

/// Which communicators are equal when calls are compared.
enum class CommunicatorIdentity {
  each,        ///< none
  of_one_kind  ///< those made by the same function: a loop may make its own in each iteration
};

/// The calls of one rank as numbers, which are equal for equal functions, sites and communicators.
struct NumberedCalls {
  std::vector<std::uint32_t> calls;
  std::vector<double> seconds;      ///< since the end of the call before
  std::vector<std::size_t> events;  ///< of the rank
};

class Numbering {
 public:
  Numbering(const Trace& trace, CommunicatorIdentity equal) {
    std::map<std::string, std::uint32_t> kinds;
    for (std::uint32_t i = 0; i < trace.communicators.size(); ++i) {
      const auto kind = kinds.try_emplace(trace.communicators[i].name, i).first->second;
      communicators_.push_back(equal == CommunicatorIdentity::each ? i : kind);
    }
  }

  NumberedCalls of(const RankTrace& rank) {
    NumberedCalls made;
    double before = 0;
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      const EventView event = rank.events[i];
      if (is_unsuccessful(event)) continue;
      made.calls.push_back(number_of(event));
      made.seconds.push_back(std::max(0.0, rank.end_of(event) - before));
      made.events.push_back(i);
      before = std::max(before, rank.end_of(event));
    }
    return made;
  }

 private:
  std::uint32_t number_of(const EventView& event) {
    constexpr unsigned half = 32;
    const std::uint32_t communicator = event.communicator < communicators_.size()
                                           ? communicators_[event.communicator]
                                           : event.communicator;
    const std::uint64_t place = (std::uint64_t{event.site} << half) | communicator;
    const std::uint64_t key =
        place * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(event.function);
    return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  std::vector<std::uint32_t> communicators_;  ///< the first of each that is equal
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

/// The iterations of one rank. Times since its MPI_Init [s].
struct RankLoop {
  std::size_t rank = 0;             ///< place in Trace::ranks
  std::vector<std::size_t> events;  ///< first call of each iteration; behind the last call of all
  std::vector<double> ends;         ///< of each iteration
  double begin = 0;                 ///< of the first iteration
  std::vector<double> computing{};  ///< in each iteration

  [[nodiscard]] std::size_t count() const { return ends.size(); }
  [[nodiscard]] double begin_of(std::size_t iteration) const {
    return iteration == 0 ? begin : ends[iteration - 1];
  }
  [[nodiscard]] double seconds_of(std::size_t iteration) const {
    return ends[iteration] - begin_of(iteration);
  }
};

/// Computing before a call, which is a part of the iteration that the call begins.
double computing_before(const RankTrace& rank, std::size_t event) {
  const double before = event == 0 ? 0 : rank.end_of(rank.events[event - 1]);
  return std::max(0.0, rank.begin_of(rank.events[event]) - before);
}

RankLoop timed(const Trace& trace, std::size_t place, std::vector<std::size_t> events) {
  const RankTrace& rank = trace.ranks[place];
  RankLoop loop{.rank = place, .events = std::move(events), .ends = {}, .begin = 0};
  std::vector<double> before;
  for (std::size_t i = 0; i + 1 < loop.events.size(); ++i) {
    loop.ends.push_back(rank.end_of(rank.events[loop.events[i + 1] - 1]));
    before.push_back(computing_before(rank, loop.events[i]));
    double computing = 0;
    for (std::size_t k = loop.events[i]; k < loop.events[i + 1]; ++k) {
      computing += computing_with(rank, k);
    }
    loop.computing.push_back(computing);
  }
  // What the program computes before its loop is no part of the first iteration.
  const double usual = median_of_some(std::vector<double>(before.begin() + 1, before.end()));
  const double counted = std::min(before.front(), usual);
  loop.begin = rank.begin_of(rank.events[loop.events.front()]) - counted;
  loop.computing.front() -= before.front() - counted;
  return loop;
}

/// The loop of each rank with one, and for the others the reasons.
struct RankLoops {
  std::vector<RankLoop> loops;
  std::vector<std::string> reasons;
};

RankLoops loops_of(const Trace& trace) {
  RankLoops made;
  Numbering of_each(trace, CommunicatorIdentity::each);
  Numbering of_one_kind(trace, CommunicatorIdentity::of_one_kind);
  for (std::size_t place = 0; place < trace.ranks.size(); ++place) {
    NumberedCalls calls = of_each.of(trace.ranks[place]);
    CallLoop loop = find_loop(calls.calls, calls.seconds);
    if (loop.count() == 0) {
      calls = of_one_kind.of(trace.ranks[place]);
      loop = find_loop(calls.calls, calls.seconds);
    }
    if (loop.count() == 0) {
      made.reasons.push_back(fmt::format("rank {}: {}", trace.ranks[place].rank, loop.why_none));
      continue;
    }
    std::vector<std::size_t> events;
    events.reserve(loop.count() + 1);
    for (const std::size_t begin : loop.begins) events.push_back(calls.events[begin]);
    events.push_back(calls.events[loop.end - 1] + 1);
    made.loops.push_back(timed(trace, place, std::move(events)));
  }
  return made;
}

/// Keeps the ranks that agree on the number of iterations. Returns the reason if too few do.
std::string keep_agreeing(RankLoops& found, std::size_t all_ranks) {
  constexpr std::size_t tenths_that_agree = 9;
  if (found.loops.empty()) {
    return found.reasons.empty() ? std::string("no rank has calls") : found.reasons.front();
  }
  std::map<std::size_t, std::size_t> ranks_of_count;
  for (const RankLoop& loop : found.loops) ++ranks_of_count[loop.count()];
  const auto most =
      std::ranges::max_element(ranks_of_count, {}, [](const auto& one) { return one.second; });
  const std::size_t count = most->first;
  const std::size_t ranks = most->second;
  if (10 * ranks < tenths_that_agree * found.loops.size()) {
    const std::size_t other = ranks_of_count.begin()->first == count
                                  ? ranks_of_count.rbegin()->first
                                  : ranks_of_count.begin()->first;
    return fmt::format("ranks differ in their number: {} and {}", count, other);
  }
  if (2 * ranks < all_ranks) {
    return fmt::format("only {} of {} ranks repeat their calls", ranks, all_ranks);
  }
  std::erase_if(found.loops, [&](const RankLoop& loop) { return loop.count() != count; });
  return {};
}

std::vector<Iteration> combined(const std::vector<RankLoop>& loops,
                                const std::vector<double>& begins) {
  std::vector<Iteration> all(loops.front().count());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].begin_seconds = std::numeric_limits<double>::max();
    for (const RankLoop& loop : loops) {
      const double offset = begins[loop.rank];
      all[i].begin_seconds = std::min(all[i].begin_seconds, offset + loop.begin_of(i));
      all[i].end_seconds = std::max(all[i].end_seconds, offset + loop.ends[i]);
      all[i].seconds += loop.seconds_of(i) / static_cast<double>(loops.size());
    }
  }
  return all;
}

void summarise(Iterations& found) {
  std::vector<double> seconds;
  seconds.reserve(found.count());
  for (const Iteration& one : found.all) seconds.push_back(one.seconds);
  found.median_seconds = median_of_some(seconds);
  found.interval = quantile_interval(seconds);
  const auto distance = [&](double one) { return std::abs(one - found.median_seconds); };
  found.typical =
      static_cast<std::size_t>(std::ranges::min_element(seconds, {}, distance) - seconds.begin());
  found.slowest = static_cast<std::size_t>(std::ranges::max_element(seconds) - seconds.begin());
  std::ranges::sort(seconds);
  found.low_seconds = seconds[seconds.size() / 4];
  found.high_seconds = seconds[seconds.size() - 1 - seconds.size() / 4];
}

/// Seconds in each function in one iteration of a rank.
std::map<profile::Function, double> call_seconds(const RankTrace& rank, const RankLoop& loop,
                                                 std::size_t iteration) {
  std::map<profile::Function, double> seconds;
  for (std::size_t i = loop.events[iteration]; i < loop.events[iteration + 1]; ++i) {
    const EventView event = rank.events[i];
    seconds[event.function] += rank.end_of(event) - rank.begin_of(event);
  }
  return seconds;
}

/// The function in which a rank of the slowest iteration is longest, compared with the typical one.
SlowIteration longest_call(const Trace& trace, const std::vector<RankLoop>& loops,
                           const Iterations& found) {
  SlowIteration slow;
  for (const RankLoop& loop : loops) {
    const RankTrace& rank = trace.ranks[loop.rank];
    auto usual = call_seconds(rank, loop, found.typical);
    for (const auto& [function, seconds] : call_seconds(rank, loop, found.slowest)) {
      if (seconds - usual[function] <= slow.seconds) continue;
      slow = {.cause = SlowIteration::Cause::call,
              .rank = rank.rank,
              .call = fmt::format("MPI_{}", profile::describe(function).name),
              .seconds = seconds - usual[function]};
    }
  }
  return slow;
}

/// A rank that computes longer by half of the difference explains a slow iteration.
SlowIteration why_slowest(const Trace& trace, const std::vector<RankLoop>& loops,
                          const Iterations& found) {
  const double longer = found.all[found.slowest].seconds - found.median_seconds;
  constexpr double least = 0.05;  // of the median
  if (longer < least * found.median_seconds) return {};
  std::vector<double> excesses;
  excesses.reserve(loops.size());
  for (const RankLoop& loop : loops) {
    excesses.push_back(loop.computing[found.slowest] - median_of_some(loop.computing));
  }
  const auto most = std::ranges::max_element(excesses);
  SlowIteration slow = longest_call(trace, loops, found);
  if (*most >= longer / 2) {
    const auto alike =
        std::ranges::count_if(excesses, [&](double one) { return one >= *most / 2; });
    const bool are_most = loops.size() > 1 && 2 * static_cast<std::size_t>(alike) > loops.size();
    slow.cause =
        are_most ? SlowIteration::Cause::ranks_compute : SlowIteration::Cause::rank_computes;
    slow.rank = trace.ranks[loops[static_cast<std::size_t>(most - excesses.begin())].rank].rank;
    slow.seconds = *most;
  } else if (slow.seconds < longer / 2) {
    slow.cause = SlowIteration::Cause::not_known;
  }
  return slow;
}

/// Number of calls of each iteration of a rank.
std::vector<double> calls_of(const RankLoop& loop) {
  std::vector<double> calls;
  for (std::size_t i = 0; i < loop.count(); ++i) {
    calls.push_back(static_cast<double>(loop.events[i + 1] - loop.events[i]));
  }
  return calls;
}

/// Distance of the iterations with another number of calls than most, if it is always the same.
std::size_t outer_period(const std::vector<double>& calls) {
  constexpr std::size_t least = 3;  // other ones
  const double usual = median_of_some(calls);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i] != usual) others.push_back(i);
  }
  if (others.size() < least) return 0;
  const std::size_t distance = others[1] - others[0];
  for (std::size_t i = 1; i < others.size(); ++i) {
    if (others[i] - others[i - 1] != distance) return 0;
  }
  return distance > 1 ? distance : 0;
}

}  // namespace

Iterations find_iterations(const TraceAnalysis& run) {
  const Trace& trace = run.trace();
  Iterations found;
  if (trace.not_logged > 0) {
    found.why_none = "calls are missing at the end of the log";
    return found;
  }
  RankLoops ranks = loops_of(trace);
  found.why_none = keep_agreeing(ranks, trace.ranks.size());
  if (!found.why_none.empty()) return found;
  const std::vector<double> begins = rank_begins(run);
  found.all = combined(ranks.loops, begins);
  found.ranks = ranks.loops.size();
  const std::vector<double> calls = calls_of(ranks.loops.front());
  found.calls = static_cast<std::size_t>(median_of_some(calls));
  found.outer_period = outer_period(calls);
  summarise(found);
  found.why_slowest = why_slowest(trace, ranks.loops, found);
  const double inside = found.all.back().end_seconds - found.all.front().begin_seconds;
  found.run_fraction = trace.seconds() > 0 ? std::min(1.0, inside / trace.seconds()) : 0;
  return found;
}

}  // namespace hockney::applications
