#include "models/replay.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "core/error.hpp"

namespace hockney::models {
namespace {

constexpr double not_yet = -1;

/// An event of a message at a time.
struct Event {
  enum class What : std::uint8_t {
    start,    ///< of a transfer
    progress  ///< a sender waits until its receiver is inside MPI
  };

  double at_seconds = 0;
  std::size_t place = 0;   ///< among calls that began together; lower ones come first
  std::size_t number = 0;  ///< order of insertion, which breaks ties
  std::uint32_t message = 0;
  What what = What::start;

  bool operator>(const Event& other) const {
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
  Replay(const Program& program, ReplayNetwork& network, std::span<const double> factors)
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
    while (!events_.empty()) {
      const Event next = events_.top();
      events_.pop();
      if (next.what == Event::What::start) {
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
    const Message& data = program_.messages[step.index];
    const SenderWaits waits = network_.waits(data);
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
      plan(index, done, Event::What::progress);
    }
    plan(index, message.sent);
  }

  void plan(std::uint32_t message, double at, Event::What what = Event::What::start) {
    events_.push({at, messages_[message].place, count_++, message, what});
  }

  /// All earlier events are done: nothing can make the receiver leave MPI before this time.
  void free_sender(const Event& look) {
    const Message& data = program_.messages[look.message];
    const auto receiver = static_cast<std::size_t>(data.to);
    const double end = ranks_[receiver].now + tail_of(receiver);
    messages_[look.message].sender_free =
        inside_from(receiver, look.at_seconds).value_or(std::max(look.at_seconds, end));
    runnable_.push_back(static_cast<std::size_t>(data.from));
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

  void carry(const Event& start) {
    MessageState& message = messages_[start.message];
    const Message& data = program_.messages[start.message];
    message.received = network_.carry(data, start.at_seconds);
    if (network_.waits(data) == SenderWaits::for_receive) {
      message.sender_free = message.received;
    }
    runnable_.push_back(static_cast<std::size_t>(data.from));
    runnable_.push_back(static_cast<std::size_t>(data.to));
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
        call.waits == CollectiveWaits::for_lower_ranks || state.missing == 0 ||
        (call.waits == CollectiveWaits::for_root && static_cast<int>(place) == call.root);
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
      case CollectiveWaits::for_no_rank:
      case CollectiveWaits::for_neighbours:
        return own + takes;
      case CollectiveWaits::for_all:
        break;
      case CollectiveWaits::for_root: {
        if (is_root || call.root < 0) return own + (is_root ? 0 : takes);
        const double root = state.entered[static_cast<std::size_t>(call.root)];
        return root == not_yet ? not_yet : std::max(own, root + takes);
      }
      case CollectiveWaits::root_for_all:
        if (!is_root) return own;
        break;
      case CollectiveWaits::for_lower_ranks:
        if (place > state.first_missing) return not_yet;
        return *std::max_element(state.entered.begin(),
                                 state.entered.begin() + static_cast<std::ptrdiff_t>(place) + 1) +
               takes;
    }
    return state.missing > 0 ? not_yet : state.latest + takes;
  }

  const Program& program_;
  ReplayNetwork& network_;
  std::vector<MessageState> messages_;
  std::vector<CollectiveState> collectives_;
  std::vector<double> seconds_of_;  ///< duration of each collective
  std::vector<RankState> ranks_;
  std::vector<std::size_t> runnable_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t count_ = 0;
  ReplayedTimes times_;
};

}  // namespace

ReplayedTimes replay(const Program& program, ReplayNetwork& network,
                     std::span<const double> factors) {
  return Replay(program, network, factors).run();
}

}  // namespace hockney::models
