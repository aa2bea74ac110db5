#include "application/analysis/happens_before.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/error.hpp"

namespace hockney::applications {
namespace {

using profile::Event;
using profile::Function;
using profile::Kind;

bool is_synchronous(Function function) {
  return function == Function::Ssend || function == Function::Issend ||
         function == Function::Ssend_init;
}

/// What each call does and needs, found from what was matched.
class Weaving {
 public:
  Weaving(const Trace& trace, const Matching& matching) : trace_(trace), matching_(matching) {
    marks_.resize(trace.ranks.size());
    for (std::size_t rank = 0; rank < marks_.size(); ++rank) {
      marks_[rank].resize(trace.ranks[rank].events.size());
    }
    mark_messages();
    mark_collectives();
    for (std::size_t rank = 0; rank < marks_.size(); ++rank) mark_completions(rank);
  }

  HappensBefore take() {
    for (std::size_t rank = 0; rank < marks_.size(); ++rank) weave(rank);
    note(matching_.sends_alone, "messages have no receive in the log: nobody waits for them");
    note(matching_.receives_alone, "receives have no message in the log: they wait for nobody");
    note(neighbourly_, "collectives among neighbours wait for nobody: who they are is not logged");
    note(one_sided_, "one-sided transfers take no time: only fences are followed");
    return std::move(result_);
  }

 private:
  using Does = ProgramStep::Does;
  using Needs = ProgramStep::Needs;

  /// What one event means.
  struct Mark {
    std::vector<std::pair<Does, std::uint32_t>> does;
    std::vector<std::pair<Needs, std::uint32_t>> needs;
  };

  Mark& mark(const Call& call) { return marks_[call.rank][call.event]; }
  [[nodiscard]] const Event& event(const Call& call) const {
    return trace_.ranks[call.rank].events[call.event];
  }

  void mark_messages() {
    for (const MatchedMessage& message : matching_.messages) {
      const auto index = static_cast<std::uint32_t>(result_.messages.size());
      result_.messages.push_back({static_cast<int>(message.send.rank),
                                  static_cast<int>(message.arrival.rank), message.bytes,
                                  is_synchronous(event(message.send).function)});
      mark(message.send).does.emplace_back(Does::sends, index);
      mark(message.post).does.emplace_back(Does::receives, index);
      mark(message.arrival).needs.emplace_back(Needs::received, index);
      made_by_[{message.send.rank, message.send.event}] = {Needs::sent, index};
      if (event(message.send).request == 0)
        mark(message.send).needs.emplace_back(Needs::sent, index);
    }
  }

  void mark_collectives() {
    for (const MatchedCollective& matched : matching_.collectives) {
      const Waits waits = waits_of(trace_, matched);
      if (waits == Waits::for_neighbours) {
        ++neighbourly_;
        continue;
      }
      const auto index = static_cast<std::uint32_t>(result_.collectives.size());
      CollectiveCall call{.function = event(matched.calls.front()).function, .waits = waits};
      for (const Call& one : matched.calls) {
        const Event& own = event(one);
        if (own.root == trace_.ranks[one.rank].rank)
          call.root = static_cast<int>(call.ranks.size());
        call.ranks.push_back(static_cast<int>(one.rank));
        call.bytes = std::max(call.bytes, own.sent.bytes);
        mark(one).does.emplace_back(Does::enters, index);
        made_by_[{one.rank, one.event}] = {Needs::left, index};
        if (own.request == 0) mark(one).needs.emplace_back(Needs::left, index);
      }
      result_.collectives.push_back(std::move(call));
    }
  }

  /// Waits need what made their requests; receives are marked by their messages.
  void mark_completions(std::size_t rank) {
    std::unordered_map<std::uint64_t, std::size_t> made;
    const auto& events = trace_.ranks[rank].events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].request != 0) made[events[i].request] = i;
      one_sided_ += profile::describe(events[i].function).kind == Kind::one_sided ? 1 : 0;
      for (const profile::Completed& completed : events[i].completed) {
        const auto found = made.find(completed.request);
        if (found == made.end()) continue;
        const auto by = made_by_.find({rank, found->second});
        if (by != made_by_.end()) marks_[rank][i].needs.push_back(by->second);
        made.erase(found);
      }
    }
  }

  void weave(std::size_t place) {
    const RankTrace& rank = trace_.ranks[place];
    std::vector<ProgramStep> steps;
    double computing = 0;
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      computing += computing_with(rank, i);
      const Mark& mark = marks_[place][i];
      const auto add = [&](Does does, Needs needs, std::uint32_t index) {
        steps.push_back({computing, does, needs, index, static_cast<std::uint32_t>(i)});
        computing = 0;
      };
      for (const auto& [does, index] : mark.does) add(does, Needs::nothing, index);
      for (const auto& [needs, index] : mark.needs) add(Does::nothing, needs, index);
    }
    result_.tail_seconds.push_back(computing + computing_after(rank));
    result_.ranks.push_back(std::move(steps));
  }

  void note(std::int64_t count, const std::string& text) {
    if (count > 0) result_.notes.push_back(std::to_string(count) + " " + text);
  }

  const Trace& trace_;
  const Matching& matching_;
  HappensBefore result_;
  std::vector<std::vector<Mark>> marks_;  ///< of each rank's events
  std::map<std::pair<std::size_t, std::size_t>, std::pair<Needs, std::uint32_t>> made_by_;
  std::int64_t neighbourly_ = 0;
  std::int64_t one_sided_ = 0;
};

}  // namespace

double computing_with(const RankTrace& rank, std::size_t event) {
  const Event& one = rank.events[event];
  const std::int64_t before = event == 0 ? rank.begin_ticks : rank.events[event - 1].end();
  const bool is_file = profile::describe(one.function).kind == Kind::file;
  const std::int64_t ticks = one.begin - before + one.between + (is_file ? one.ticks : 0);
  return static_cast<double>(ticks) * rank.seconds_per_tick;
}

double computing_after(const RankTrace& rank) {
  const double last = rank.events.empty() ? 0 : rank.end_of(rank.events.back());
  return std::max(0.0, rank.seconds - last);
}

void check_whole(const Trace& trace) {
  if (trace.is_whole()) return;
  throw InputError(
      {"the log of events cannot be replayed",
       trace.not_logged > 0 ? "calls are missing at its end" : "ranks are missing in it",
       trace.not_logged > 0 ? "record the program again with more --memory"
                            : "record a run that comes to its end"});
}

HappensBefore happens_before(const Trace& trace, const Matching& matching) {
  return Weaving(trace, matching).take();
}

}  // namespace hockney::applications
