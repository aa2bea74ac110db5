#include "components/application/analysis/trace_analysis.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"

namespace hockney::applications {
namespace {

using models::CollectiveWaits;
using profile::Function;
using profile::Kind;

bool is_synchronous(Function function) {
  return function == Function::Ssend || function == Function::Issend ||
         function == Function::Ssend_init;
}

/// Finds what each call does and needs from the matched messages and collectives.
class ProgramBuilder {
 public:
  ProgramBuilder(const Trace& trace, const Matching& matching)
      : trace_(trace), matching_(matching) {
    marks_.resize(trace.ranks.size());
    made_by_.resize(trace.ranks.size());
    mark_messages();
    mark_collectives();
    for (std::size_t rank = 0; rank < marks_.size(); ++rank) mark_completions(rank);
  }

  models::Program take() {
    for (std::size_t rank = 0; rank < marks_.size(); ++rank) add_steps_of(rank);
    note(matching_.sends_alone, "messages have no receive in the log: no rank waits for them");
    note(matching_.receives_alone, "receives have no message in the log: they do not wait");
    note(neighbourly_, "collectives among neighbours do not wait: the log lacks their neighbours");
    note(with_other_job_,
         "collectives with processes of another job do not wait: it has its own log");
    note(one_sided_, "one-sided transfers take no time: only fences are followed");
    return std::move(result_);
  }

 private:
  using Does = models::ProgramStep::Does;
  using Needs = models::ProgramStep::Needs;

  /// One action or condition of an event. There are as many as calls: they are kept small.
  struct Mark {
    std::uint32_t event = 0;
    std::uint32_t index = 0;
    Does does = Does::nothing;
    Needs needs = Needs::nothing;
  };

  void mark(const Call& call, Does does, std::uint32_t index) {
    marks_[call.rank].push_back({call.event, index, does});
  }
  void mark(const Call& call, Needs needs, std::uint32_t index) {
    marks_[call.rank].push_back({call.event, index, Does::nothing, needs});
  }
  [[nodiscard]] EventView event(const Call& call) const {
    return trace_.ranks[call.rank].events[call.event];
  }

  void mark_messages() {
    for (const MatchedMessage& message : matching_.messages) {
      const auto index = static_cast<std::uint32_t>(result_.messages.size());
      result_.messages.push_back({static_cast<int>(message.send.rank),
                                  static_cast<int>(message.arrival.rank), bytes_of(trace_, message),
                                  is_synchronous(event(message.send).function)});
      mark(message.send, Does::sends, index);
      mark(message.post, Does::receives, index);
      mark(message.arrival, Needs::received, index);
      if (event(message.send).request == 0) {
        mark(message.send, Needs::sent, index);
      } else {
        made_by_[message.send.rank].push_back(
            {message.send.event, index, Does::nothing, Needs::sent});
      }
    }
  }

  /// A log of all ranks lacks calls of a collective only if processes of another job made them.
  [[nodiscard]] bool has_ranks_elsewhere(const MatchedCollective& matched) const {
    const profile::Communicator& used =
        trace_.communicators[event(matched.calls.front()).communicator];
    return trace_.is_whole() && matched.calls.size() < static_cast<std::size_t>(used.size);
  }

  void mark_collectives() {
    for (const MatchedCollective& matched : matching_.collectives) {
      const CollectiveWaits waits = waits_of(trace_, matched);
      if (waits == CollectiveWaits::for_neighbours) {
        ++neighbourly_;
        continue;
      }
      if (has_ranks_elsewhere(matched)) {
        ++with_other_job_;
        continue;
      }
      const auto index = static_cast<std::uint32_t>(result_.collectives.size());
      models::CollectiveCall call{
          .function = static_cast<int>(event(matched.calls.front()).function), .waits = waits};
      for (const Call& one : matched.calls) {
        const EventView own = event(one);
        if (own.root == trace_.ranks[one.rank].rank)
          call.root = static_cast<int>(call.ranks.size());
        call.ranks.push_back(static_cast<int>(one.rank));
        call.bytes = std::max(call.bytes, own.sent.bytes);
        mark(one, Does::enters, index);
        if (own.request == 0) {
          mark(one, Needs::left, index);
        } else {
          made_by_[one.rank].push_back({one.event, index, Does::nothing, Needs::left});
        }
      }
      result_.collectives.push_back(std::move(call));
    }
  }

  /// Completions need the messages or collectives of their requests. Receives are marked with their
  /// messages.
  void mark_completions(std::size_t rank) {
    std::vector<Mark> makers = std::exchange(made_by_[rank], {});
    std::ranges::sort(makers, {}, &Mark::event);
    std::unordered_map<std::uint64_t, std::uint32_t> made;
    const EventList& events = trace_.ranks[rank].events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const EventView one = events[i];
      if (one.request != 0) made[one.request] = static_cast<std::uint32_t>(i);
      one_sided_ += profile::describe(one.function).kind == Kind::one_sided ? 1 : 0;
      for (const profile::Completed& completed : one.completed) {
        const auto found = made.find(completed.request);
        if (found == made.end()) continue;
        const auto by =
            std::ranges::lower_bound(makers, std::uint32_t{found->second}, {}, &Mark::event);
        if (by != makers.end() && by->event == found->second) mark({rank, i}, by->needs, by->index);
        made.erase(found);
      }
    }
  }

  void add_steps_of(std::size_t place) {
    const RankTrace& rank = trace_.ranks[place];
    std::vector<Mark> marks = std::exchange(marks_[place], {});
    // Of one event what it does comes first.
    std::ranges::stable_sort(marks, {}, [](const Mark& one) {
      return std::pair(one.event, one.needs != Needs::nothing);
    });
    std::vector<models::ProgramStep> steps;
    steps.reserve(marks.size());
    double computing = 0;
    auto next = marks.begin();
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      computing += computing_with(rank, i);
      for (; next != marks.end() && next->event == i; ++next) {
        steps.emplace_back(computing, next->does, next->needs, next->index, next->event);
        computing = 0;
      }
    }
    result_.tail_seconds.push_back(computing + computing_after(rank));
    result_.ranks.push_back(std::move(steps));
  }

  void note(std::int64_t count, const std::string& text) {
    if (count > 0) result_.notes.push_back(fmt::format("{} {}", count, text));
  }

  const Trace& trace_;
  const Matching& matching_;
  models::Program result_;
  std::vector<std::vector<Mark>> marks_;    ///< of each rank
  std::vector<std::vector<Mark>> made_by_;  ///< needs of the completion, by the event that begins
  std::int64_t neighbourly_ = 0;
  std::int64_t with_other_job_ = 0;
  std::int64_t one_sided_ = 0;
};

/// InputError if ranks or calls are missing: such a trace has no complete order.
void check_whole(const Trace& trace) {
  if (trace.is_whole()) return;
  throw InputError(
      {"the log of events cannot be replayed",
       trace.not_logged > 0 ? "calls are missing at its end" : "ranks are missing in it",
       trace.not_logged > 0 ? "record the program again with more --memory"
                            : "record a run that comes to its end"});
}

/// `trace` must be complete.
models::Program program_of(const Trace& trace, const Matching& matching) {
  for (const RankTrace& rank : trace.ranks) {
    if (rank.events.size() <= models::ProgramStep::most_events) continue;
    throw InputError(
        {"the log of events cannot be replayed",
         fmt::format("rank {} has more than {} calls", rank.rank, models::ProgramStep::most_events),
         "record a shorter run"});
  }
  return ProgramBuilder(trace, matching).take();
}

}  // namespace

double computing_with(const RankTrace& rank, std::size_t event) {
  const EventView one = rank.events[event];
  const std::int64_t before = event == 0 ? rank.begin_ticks : rank.events[event - 1].end();
  const bool is_file = profile::describe(one.function).kind == Kind::file;
  const std::int64_t ticks = one.begin - before + one.between + (is_file ? one.ticks : 0);
  return static_cast<double>(ticks) * rank.seconds_per_tick;
}

double computing_after(const RankTrace& rank) {
  const double last = rank.events.empty() ? 0 : rank.end_of(rank.events.back());
  return std::max(0.0, rank.seconds - last);
}

const std::map<std::string, HostClock>& TraceAnalysis::clocks() const {
  if (!clocks_) clocks_ = align_clocks(trace_, matching_);
  return *clocks_;
}

std::optional<double> TraceAnalysis::lead_of(std::size_t rank, std::size_t other) const {
  const RankTrace& one = trace_.ranks[rank];
  const RankTrace& two = trace_.ranks[other];
  const double begins = one.begin_seconds - two.begin_seconds;
  if (one.clock() == two.clock()) return begins;
  const HostClock& first = clocks().at(one.clock());
  const HostClock& second = clocks().at(two.clock());
  if (!first.bound_seconds || !second.bound_seconds) return std::nullopt;
  // Ranks begin together, behind a barrier: the likeliest lead within the bounds is 0.
  const double lead = begins + (first.offset_seconds - second.offset_seconds);
  const double bound = *first.bound_seconds + *second.bound_seconds;
  return std::clamp(0.0, lead - bound, lead + bound);
}

const models::Program& TraceAnalysis::program() const {
  if (program_) return *program_;
  check_whole(trace_);
  return program_.emplace(program_of(trace_, matching()));
}

}  // namespace hockney::applications
