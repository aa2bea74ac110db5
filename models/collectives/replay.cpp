#include "models/collectives/replay.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <deque>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "core/error.hpp"

namespace hockney::collectives {

HopSegment HopCost::segment(std::int64_t bytes) const {
  const auto found = std::ranges::lower_bound(segments, bytes, {}, &HopSegment::to_bytes);
  HopSegment line = found == segments.end() ? segments.back() : *found;
  const double factor = factors.at(models::all_ranks, static_cast<double>(bytes));
  line.alpha_seconds *= factor;
  line.beta_seconds_per_byte *= factor;
  return line;
}

RankNetwork::RankNetwork(std::vector<std::vector<int>> sites, std::vector<HopCost> costs)
    : sites_(std::move(sites)), costs_(std::move(costs)) {
  if (costs_.size() != sites_.size() + 1) {
    throw InputError({fmt::format("{} hop classes have a cost", costs_.size()),
                      fmt::format("{} levels of sites make one more than that", sites_.size()),
                      "give every hop class a cost"});
  }
}

RankNetwork RankNetwork::uniform(double alpha_seconds, double beta_seconds_per_byte) {
  const HopSegment segment{std::numeric_limits<std::int64_t>::max(), alpha_seconds,
                           beta_seconds_per_byte};
  return {{}, {{.name = "any", .segments = {segment}}}};
}

std::size_t RankNetwork::hop(int rank, int other) const {
  std::size_t level = 0;
  for (const std::vector<int>& sites : sites_) {
    if (sites[static_cast<std::size_t>(rank)] == sites[static_cast<std::size_t>(other)]) break;
    ++level;
  }
  return level;
}

int RankNetwork::site_below(std::size_t hop, int rank) const {
  return hop == 0 ? rank : sites_[hop - 1][static_cast<std::size_t>(rank)];
}

double RankNetwork::offset_seconds(int rank, int other) const {
  if (offsets_.empty()) return 0;
  const std::vector<int>& sites = sites_.at(1);
  const auto found = offsets_.find(
      {sites[static_cast<std::size_t>(rank)], sites[static_cast<std::size_t>(other)]});
  return found == offsets_.end() ? 0 : found->second;
}

double Ports::carry(int from, int to, std::int64_t bytes, double at_seconds) {
  const std::size_t hop = network_.hop(from, to);
  const HopCost& cost = network_.cost(hop);
  const HopSegment line = cost.segment(bytes);
  double& out = out_[from];
  double& in = in_[to];
  double begin = std::max(at_seconds, out);
  if (cost.channel_seconds_per_byte > 0) {
    double& channel =
        channels_[{hop, network_.site_below(hop, from), network_.site_below(hop, to)}];
    begin = std::max(begin, channel);
    channel = begin + cost.channel_seconds_per_byte * static_cast<double>(bytes);
  }
  const double wire_time = line.beta_seconds_per_byte * static_cast<double>(bytes);
  out = begin + wire_time;
  const double alpha = line.alpha_seconds + network_.offset_seconds(from, to);
  in = std::max(begin + alpha, in) + wire_time;
  return in;
}

namespace {

/// A message whose two ranks are ready for it.
struct Ready {
  double at_seconds = 0;
  std::size_t place = 0;   ///< in its step: earlier calls go first
  std::size_t number = 0;  ///< first come, first served among equals
  int from = 0;
  int to = 0;
  std::int64_t bytes = 0;

  bool operator>(const Ready& other) const {
    return std::tie(at_seconds, place, number) >
           std::tie(other.at_seconds, other.place, other.number);
  }
};

/// One side of a message that waits for the other.
struct Posted {
  double at_seconds = 0;
  std::size_t place = 0;
};

/// Where a rank is.
struct Progress {
  std::size_t step = 0;
  std::size_t open = 0;  ///< messages of the step that have not ended
  double now_seconds = 0;
  double latest_seconds = 0;  ///< end of a message of the step
};

class Replay {
 public:
  Replay(const schedules::Schedule& schedule, const RankNetwork& network, double gamma)
      : schedule_(schedule), ports_(network), gamma_(gamma), progress_(schedule.ranks.size()) {}

  double run() {
    for (std::size_t rank = 0; rank < progress_.size(); ++rank) post(static_cast<int>(rank));
    while (!ready_.empty()) {
      const Ready message = ready_.top();
      ready_.pop();
      const double end = ports_.carry(message.from, message.to, message.bytes, message.at_seconds);
      finish(message.from, end);
      finish(message.to, end);
    }
    double last = 0;
    for (std::size_t rank = 0; rank < progress_.size(); ++rank) {
      if (progress_[rank].step < schedule_.ranks[rank].steps()) {
        throw RunError({"the schedule does not end",
                        fmt::format("rank {} waits for a message that is never sent", rank),
                        "this is a fault of hockney"});
      }
      last = std::max(last, progress_[rank].now_seconds);
    }
    return last;
  }

 private:
  using Wire = std::uint64_t;

  static Wire wire(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32U | static_cast<std::uint64_t>(to);
  }

  void post(int rank) {
    Progress& mine = progress_[static_cast<std::size_t>(rank)];
    const schedules::RankSchedule& steps = schedule_.ranks[static_cast<std::size_t>(rank)];
    if (mine.step >= steps.steps()) return;
    const auto step = steps.step(mine.step);
    mine.open = step.size();
    mine.latest_seconds = mine.now_seconds;
    const double now = mine.now_seconds;
    for (std::size_t place = 0; place < step.size(); ++place) {
      offer(rank, step[place], {now, place});
    }
  }

  void offer(int rank, const schedules::Transfer& transfer, const Posted& mine) {
    const bool sends = transfer.direction == schedules::Direction::send;
    const int from = sends ? rank : transfer.peer;
    const int to = sends ? transfer.peer : rank;
    auto& others = sends ? receives_[wire(from, to)] : sends_[wire(from, to)];
    if (others.empty()) {
      (sends ? sends_ : receives_)[wire(from, to)].push_back(mine);
      return;
    }
    const Posted other = others.front();
    others.pop_front();
    ready_.push({std::max(mine.at_seconds, other.at_seconds), std::max(mine.place, other.place),
                 count_++, from, to, transfer.bytes});
  }

  void finish(int rank, double end) {
    Progress& mine = progress_[static_cast<std::size_t>(rank)];
    mine.latest_seconds = std::max(mine.latest_seconds, end);
    if (--mine.open > 0) return;
    const schedules::RankSchedule& steps = schedule_.ranks[static_cast<std::size_t>(rank)];
    const auto combined = static_cast<double>(steps.reduced_bytes(mine.step));
    mine.now_seconds = mine.latest_seconds + gamma_ * combined;
    ++mine.step;
    post(rank);
  }

  const schedules::Schedule& schedule_;
  Ports ports_;
  double gamma_;
  std::vector<Progress> progress_;
  std::unordered_map<Wire, std::deque<Posted>> sends_;  ///< without a receive
  std::unordered_map<Wire, std::deque<Posted>> receives_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::size_t count_ = 0;
};

}  // namespace

double replay(const schedules::Schedule& schedule, const RankNetwork& network,
              double gamma_seconds_per_byte) {
  return Replay(schedule, network, gamma_seconds_per_byte).run();
}

}  // namespace hockney::collectives
