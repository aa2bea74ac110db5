#include "models/applications/replay.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "core/error.hpp"

namespace hockney::applications {
namespace {

constexpr double not_yet = -1;

/// A message that starts.
struct Start {
  double at_seconds = 0;
  std::size_t number = 0;  ///< first come, first served among equals
  std::uint32_t message = 0;

  bool operator>(const Start& other) const {
    return std::tie(at_seconds, number) > std::tie(other.at_seconds, other.number);
  }
};

struct MessageState {
  double sent = not_yet;    ///< when the send was called [s]
  double posted = not_yet;  ///< when the receive was
  double sender_free = not_yet;
  double received = not_yet;
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
  bool has_computed = false;  ///< before the step under way
};

class Replay {
 public:
  Replay(const HappensBefore& program, ReplayNetwork& network)
      : program_(program),
        network_(network),
        messages_(program.messages.size()),
        collectives_(program.collectives.size()),
        ranks_(program.ranks.size()) {
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
      const std::size_t size = program.collectives[i].ranks.size();
      collectives_[i] = {std::vector<double>(size, not_yet), size, 0, 0};
      seconds_of_.push_back(network.collective_seconds(program.collectives[i]));
    }
    for (const auto& steps : program.ranks) times_.waits.emplace_back(steps.size(), 0.0);
  }

  ReplayedTimes run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) runnable_.push_back(rank);
    advance_all();
    while (!starts_.empty()) {
      const Start start = starts_.top();
      starts_.pop();
      carry(start);
      advance_all();
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) finish(rank);
    return std::move(times_);
  }

 private:
  void finish(std::size_t rank) {
    if (ranks_[rank].step < program_.ranks[rank].size()) {
      throw RunError({"the replay does not end",
                      "rank " + std::to_string(rank) + " waits for ever on this network",
                      "programs that count on buffers hang where there are none"});
    }
    times_.rank_seconds.push_back(ranks_[rank].now + program_.tail_seconds[rank]);
    times_.seconds = std::max(times_.seconds, times_.rank_seconds.back());
  }

  void advance_all() {
    while (!runnable_.empty()) {
      const std::size_t rank = runnable_.back();
      runnable_.pop_back();
      advance(rank);
    }
  }

  /// Goes on until the rank must wait for something that is not known yet.
  void advance(std::size_t rank) {
    RankState& state = ranks_[rank];
    const std::vector<ProgramStep>& steps = program_.ranks[rank];
    for (; state.step < steps.size(); ++state.step, state.has_computed = false) {
      const ProgramStep& step = steps[state.step];
      if (!state.has_computed) state.now += step.computing_seconds;
      state.has_computed = true;
      act(rank, step);
      const double until = needed(rank, step);
      if (until == not_yet) return;
      if (until > state.now) times_.waits[rank][state.step] = until - state.now;
      state.now = std::max(state.now, until);
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
    const Transfer& transfer = program_.messages[step.index];
    const bool waits = network_.is_rendezvous(transfer);
    if (step.does == ProgramStep::Does::sends) {
      message.sent = now;
      if (!waits) message.sender_free = now + network_.sending_seconds(transfer);
      if (!waits) start(step.index, now);
      if (waits && message.posted != not_yet) start(step.index, std::max(now, message.posted));
    } else {
      message.posted = now;
      if (waits && message.sent != not_yet) start(step.index, std::max(now, message.sent));
    }
  }

  void start(std::uint32_t message, double at) { starts_.push({at, count_++, message}); }

  void carry(const Start& start) {
    MessageState& message = messages_[start.message];
    const Transfer& transfer = program_.messages[start.message];
    message.received = network_.carry(transfer, start.at_seconds);
    if (message.sender_free == not_yet) message.sender_free = message.received;
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

  /// When the rank may go on: `not_yet` while that is not known, 0 where it needs nothing.
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

  /// A message that lies there already must still be taken, once its receive is posted.
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
      case Waits::for_nobody:
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
  std::vector<double> seconds_of_;  ///< what each collective takes
  std::vector<RankState> ranks_;
  std::vector<std::size_t> runnable_;
  std::priority_queue<Start, std::vector<Start>, std::greater<>> starts_;
  std::size_t count_ = 0;
  ReplayedTimes times_;
};

}  // namespace

SendLimits send_limits(std::span<const EagerLimits> limits) {
  SendLimits found;
  for (const EagerLimits& of_reach : limits) {
    (of_reach.reach == Reach::in_node ? found.in_node : found.between_nodes) =
        of_reach.least_bytes();
  }
  return found;
}

ReplayedTimes replay(const HappensBefore& program, ReplayNetwork& network) {
  return Replay(program, network).run();
}

}  // namespace hockney::applications
