#include "components/application/analysis/replay.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"

namespace hockney::applications {
namespace {

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

  HappensBefore take() {
    for (std::size_t rank = 0; rank < marks_.size(); ++rank) weave(rank);
    note(matching_.sends_alone, "messages have no receive in the log: no rank waits for them");
    note(matching_.receives_alone, "receives have no message in the log: they do not wait");
    note(neighbourly_, "collectives among neighbours do not wait: the log lacks their neighbours");
    note(with_other_job_,
         "collectives with processes of another job do not wait: it has its own log");
    note(one_sided_, "one-sided transfers take no time: only fences are followed");
    return std::move(result_);
  }

 private:
  using Does = ProgramStep::Does;
  using Needs = ProgramStep::Needs;

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
      const Waits waits = waits_of(trace_, matched);
      if (waits == Waits::for_neighbours) {
        ++neighbourly_;
        continue;
      }
      if (has_ranks_elsewhere(matched)) {
        ++with_other_job_;
        continue;
      }
      const auto index = static_cast<std::uint32_t>(result_.collectives.size());
      CollectiveCall call{.function = event(matched.calls.front()).function, .waits = waits};
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

  void weave(std::size_t place) {
    const RankTrace& rank = trace_.ranks[place];
    std::vector<Mark> marks = std::exchange(marks_[place], {});
    // Of one event what it does comes first.
    std::ranges::stable_sort(marks, {}, [](const Mark& one) {
      return std::pair(one.event, one.needs != Needs::nothing);
    });
    std::vector<ProgramStep> steps;
    steps.reserve(marks.size());
    double computing = 0;
    auto next = marks.begin();
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      computing += computing_with(rank, i);
      for (; next != marks.end() && next->event == i; ++next) {
        steps.push_back({computing, next->does, next->needs, next->index, next->event});
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
  HappensBefore result_;
  std::vector<std::vector<Mark>> marks_;    ///< of each rank
  std::vector<std::vector<Mark>> made_by_;  ///< needs of the completion, by the event that begins
  std::int64_t neighbourly_ = 0;
  std::int64_t with_other_job_ = 0;
  std::int64_t one_sided_ = 0;
};

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

void check_whole(const Trace& trace) {
  if (trace.is_whole()) return;
  throw InputError(
      {"the log of events cannot be replayed",
       trace.not_logged > 0 ? "calls are missing at its end" : "ranks are missing in it",
       trace.not_logged > 0 ? "record the program again with more --memory"
                            : "record a run that comes to its end"});
}

namespace {

/// `trace` must be complete.
HappensBefore happens_before(const Trace& trace, const Matching& matching) {
  for (const RankTrace& rank : trace.ranks) {
    if (rank.events.size() <= ProgramStep::most_events) continue;
    throw InputError(
        {"the log of events cannot be replayed",
         fmt::format("rank {} has more than {} calls", rank.rank, ProgramStep::most_events),
         "record a shorter run"});
  }
  return ProgramBuilder(trace, matching).take();
}

constexpr double not_yet = -1;

/// An event of a message at a time.
struct SimulatedEvent {
  enum class What : std::uint8_t { starts, looks_for_progress };

  double at_seconds = 0;
  std::size_t place = 0;   ///< among calls that began together; lower ones come first
  std::size_t number = 0;  ///< order of insertion, which breaks ties
  std::uint32_t message = 0;
  What what = What::starts;

  bool operator>(const SimulatedEvent& other) const {
    return std::tie(at_seconds, place, number) >
           std::tie(other.at_seconds, other.place, other.number);
  }
};

struct MessageState {
  double sent = not_yet;    ///< when the send was called [s]
  double posted = not_yet;  ///< when the receive was posted [s]
  double sender_free = not_yet;
  double received = not_yet;
  std::size_t place = 0;  ///< of the later of send and receive
};

struct CollectiveState {
  std::vector<double> entered;  ///< of each of its ranks
  std::size_t missing = 0;
  std::size_t first_missing = 0;  ///< the lowest rank that has not entered
  double latest = 0;
};

struct RankState {
  std::size_t step = 0;
  double now = 0;
  bool has_computed = false;  ///< before the current step
  std::size_t begun = 0;      ///< messages since its last wait
};

class Replay {
 public:
  Replay(const HappensBefore& program, ReplayNetwork& network, std::span<const double> factors)
      : program_(program),
        network_(network),
        messages_(program.messages.size()),
        collectives_(program.collectives.size()),
        ranks_(program.ranks.size()) {
    times_.factors.assign(factors.begin(), factors.end());
    times_.factors.resize(ranks_.size(), 1);
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
      const std::size_t size = program.collectives[i].ranks.size();
      collectives_[i] = {std::vector<double>(size, not_yet), size, 0, 0};
      seconds_of_.push_back(network.collective_seconds(program.collectives[i]));
    }
    for (const auto& steps : program.ranks) times_.left.emplace_back().reserve(steps.size());
  }

  ReplayedTimes run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) runnable_.push_back(rank);
    advance_all();
    while (!happenings_.empty()) {
      const SimulatedEvent next = happenings_.top();
      happenings_.pop();
      if (next.what == SimulatedEvent::What::starts) {
        carry(next);
      } else {
        free_sender(next);
      }
      advance_all();
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) finish(rank);
    return std::move(times_);
  }

 private:
  /// Computing of a rank after its last step.
  [[nodiscard]] double tail_of(std::size_t rank) const {
    return times_.factors[rank] * program_.tail_seconds[rank];
  }

  void finish(std::size_t rank) {
    if (ranks_[rank].step < program_.ranks[rank].size()) {
      throw RunError({"the replay does not end",
                      fmt::format("rank {} waits for ever on this network", rank),
                      "programs that count on buffers hang where there are none"});
    }
    times_.rank_seconds.push_back(ranks_[rank].now + tail_of(rank));
    times_.seconds = std::max(times_.seconds, times_.rank_seconds.back());
  }

  void advance_all() {
    while (!runnable_.empty()) {
      const std::size_t rank = runnable_.back();
      runnable_.pop_back();
      advance(rank);
    }
  }

  /// Replays steps of a rank until it needs something that has not happened yet.
  void advance(std::size_t rank) {
    RankState& state = ranks_[rank];
    const std::vector<ProgramStep>& steps = program_.ranks[rank];
    for (; state.step < steps.size(); ++state.step, state.has_computed = false) {
      const ProgramStep& step = steps[state.step];
      if (!state.has_computed) state.now = times_.entered(program_, rank, state.step);
      state.has_computed = true;
      act(rank, step);
      const double until = needed(rank, step);
      if (until == not_yet) return;
      state.now = std::max(state.now, until);
      times_.left[rank].push_back(state.now);
      if (step.needs != ProgramStep::Needs::nothing) state.begun = 0;
    }
  }

  void act(std::size_t rank, const ProgramStep& step) {
    const double now = ranks_[rank].now;
    if (step.does == ProgramStep::Does::enters) {
      enter(rank, step.index, now);
      return;
    }
    if (step.does == ProgramStep::Does::nothing) return;
    MessageState& message = messages_[step.index];
    message.place = std::max(message.place, ranks_[rank].begun++);
    const Transfer& transfer = program_.messages[step.index];
    const SenderWaits waits = network_.waits(transfer);
    const bool is_rendezvous = waits == SenderWaits::for_receive;
    if (step.does == ProgramStep::Does::sends) {
      message.sent = now;
      if (!is_rendezvous) send_eagerly(step.index, waits);
      if (is_rendezvous && message.posted != not_yet) {
        plan(step.index, std::max(now, message.posted));
      }
    } else {
      message.posted = now;
      if (is_rendezvous && message.sent != not_yet) plan(step.index, std::max(now, message.sent));
    }
  }

  void send_eagerly(std::uint32_t index, SenderWaits waits) {
    MessageState& message = messages_[index];
    const double done = message.sent + network_.sending_seconds(program_.messages[index]);
    if (waits == SenderWaits::for_no_rank) {
      message.sender_free = done;
    } else {
      plan(index, done, SimulatedEvent::What::looks_for_progress);
    }
    plan(index, message.sent);
  }

  void plan(std::uint32_t message, double at,
            SimulatedEvent::What what = SimulatedEvent::What::starts) {
    happenings_.push({at, messages_[message].place, count_++, message, what});
  }

  /// All earlier events are done: nothing can make the receiver leave MPI before this time.
  void free_sender(const SimulatedEvent& look) {
    const Transfer& transfer = program_.messages[look.message];
    const auto receiver = static_cast<std::size_t>(transfer.to);
    const double end = ranks_[receiver].now + tail_of(receiver);
    messages_[look.message].sender_free =
        inside_from(receiver, look.at_seconds).value_or(std::max(look.at_seconds, end));
    runnable_.push_back(static_cast<std::size_t>(transfer.from));
  }

  /// First time from `seconds` on at which the rank is inside MPI, among the replayed steps.
  /// nullopt after the last step.
  [[nodiscard]] std::optional<double> inside_from(std::size_t rank, double seconds) const {
    const std::vector<double>& left = times_.left[rank];
    const auto found = std::ranges::lower_bound(left, seconds) - left.begin();
    const auto step = static_cast<std::size_t>(found);
    if (step == left.size() && !ranks_[rank].has_computed) return std::nullopt;
    return std::max(seconds, times_.entered(program_, rank, step));
  }

  void carry(const SimulatedEvent& start) {
    MessageState& message = messages_[start.message];
    const Transfer& transfer = program_.messages[start.message];
    message.received = network_.carry(transfer, start.at_seconds);
    if (network_.waits(transfer) == SenderWaits::for_receive) {
      message.sender_free = message.received;
    }
    runnable_.push_back(static_cast<std::size_t>(transfer.from));
    runnable_.push_back(static_cast<std::size_t>(transfer.to));
  }

  void enter(std::size_t rank, std::uint32_t index, double now) {
    const CollectiveCall& call = program_.collectives[index];
    CollectiveState& state = collectives_[index];
    const auto place = place_of(call, rank);
    if (state.entered[place] != not_yet) return;
    state.entered[place] = now;
    state.latest = std::max(state.latest, now);
    --state.missing;
    while (state.first_missing < state.entered.size() &&
           state.entered[state.first_missing] != not_yet) {
      ++state.first_missing;
    }
    const bool may_free_others =
        call.waits == Waits::for_lower_ranks || state.missing == 0 ||
        (call.waits == Waits::for_root && static_cast<int>(place) == call.root);
    if (!may_free_others) return;
    for (const int other : call.ranks) runnable_.push_back(static_cast<std::size_t>(other));
  }

  static std::size_t place_of(const CollectiveCall& call, std::size_t rank) {
    const auto found = std::ranges::lower_bound(call.ranks, static_cast<int>(rank));
    return static_cast<std::size_t>(found - call.ranks.begin());
  }

  /// Time at which the rank may continue: `not_yet` if unknown, 0 if it needs nothing.
  double needed(std::size_t rank, const ProgramStep& step) {
    switch (step.needs) {
      case ProgramStep::Needs::nothing:
        return 0;
      case ProgramStep::Needs::sent:
        return messages_[step.index].sender_free;
      case ProgramStep::Needs::received:
        return received(step.index);
      case ProgramStep::Needs::left:
        return left(rank, step.index);
    }
    return 0;
  }

  /// A message that has arrived still costs the receiver's time, once its receive is posted.
  [[nodiscard]] double received(std::uint32_t index) const {
    const MessageState& message = messages_[index];
    if (message.received == not_yet) return not_yet;
    return std::max(message.received,
                    message.posted + network_.receiving_seconds(program_.messages[index]));
  }

  double left(std::size_t rank, std::uint32_t index) {
    const CollectiveCall& call = program_.collectives[index];
    const CollectiveState& state = collectives_[index];
    const double takes = seconds_of_[index];
    const std::size_t place = place_of(call, rank);
    const bool is_root = call.root >= 0 && place == static_cast<std::size_t>(call.root);
    const double own = state.entered[place];
    switch (call.waits) {
      case Waits::for_no_rank:
      case Waits::for_neighbours:
        return own + takes;
      case Waits::for_all:
        break;
      case Waits::for_root: {
        if (is_root || call.root < 0) return own + (is_root ? 0 : takes);
        const double root = state.entered[static_cast<std::size_t>(call.root)];
        return root == not_yet ? not_yet : std::max(own, root + takes);
      }
      case Waits::root_for_all:
        if (!is_root) return own;
        break;
      case Waits::for_lower_ranks:
        if (place > state.first_missing) return not_yet;
        return *std::max_element(state.entered.begin(),
                                 state.entered.begin() + static_cast<std::ptrdiff_t>(place) + 1) +
               takes;
    }
    return state.missing > 0 ? not_yet : state.latest + takes;
  }

  const HappensBefore& program_;
  ReplayNetwork& network_;
  std::vector<MessageState> messages_;
  std::vector<CollectiveState> collectives_;
  std::vector<double> seconds_of_;  ///< duration of each collective
  std::vector<RankState> ranks_;
  std::vector<std::size_t> runnable_;
  std::priority_queue<SimulatedEvent, std::vector<SimulatedEvent>, std::greater<>> happenings_;
  std::size_t count_ = 0;
  ReplayedTimes times_;
};

}  // namespace

ReplayedTimes replay(const HappensBefore& program, ReplayNetwork& network,
                     std::span<const double> factors) {
  return Replay(program, network, factors).run();
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

const HappensBefore& TraceAnalysis::program() const {
  if (program_) return *program_;
  check_whole(trace_);
  return program_.emplace(happens_before(trace_, matching()));
}

}  // namespace hockney::applications
