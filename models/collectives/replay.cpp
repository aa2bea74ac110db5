#include "models/collectives/replay.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

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

ScheduledMessages::ScheduledMessages(schedules::Schedule schedule, std::span<const int> ranks,
                                     models::Program& program)
    : schedule_(std::move(schedule)) {
  struct Wire {
    std::vector<std::uint32_t> messages;
    std::array<std::size_t, 2> counts{};  // of sends, of receives
  };
  std::unordered_map<std::uint64_t, Wire> wires;
  for (std::size_t own = 0; own < schedule_.ranks.size(); ++own) {
    std::vector<std::uint32_t>& numbers = messages_.emplace_back();
    for (const schedules::Transfer& transfer : schedule_.ranks[own].transfers()) {
      const bool is_send = transfer.direction == schedules::Direction::send;
      const auto peer = static_cast<std::size_t>(transfer.peer);
      const std::size_t from = is_send ? own : peer;
      const std::size_t to = is_send ? peer : own;
      Wire& wire = wires[std::uint64_t{from} << 32U | to];
      const std::size_t count = wire.counts[is_send ? 0 : 1]++;
      if (count == wire.messages.size()) {
        wire.messages.push_back(static_cast<std::uint32_t>(program.messages.size()));
        program.messages.push_back({ranks[from], ranks[to], transfer.bytes});
      }
      numbers.push_back(wire.messages[count]);
    }
  }
}

void ScheduledMessages::add_steps(std::size_t rank, std::uint32_t event, double& computing,
                                  std::vector<models::ProgramStep>& steps) const {
  using Does = models::ProgramStep::Does;
  using Needs = models::ProgramStep::Needs;
  const schedules::RankSchedule& own = schedule_.ranks[rank];
  auto begun = messages_[rank].begin();
  auto ended = begun;
  const auto is_send = [](const schedules::Transfer& transfer) {
    return transfer.direction == schedules::Direction::send;
  };
  for (std::size_t i = 0; i < own.steps(); ++i) {
    for (const schedules::Transfer& transfer : own.step(i)) {
      steps.push_back({std::exchange(computing, 0),
                       is_send(transfer) ? Does::sends : Does::receives, Needs::nothing, *begun++,
                       event});
    }
    for (const schedules::Transfer& transfer : own.step(i)) {
      steps.push_back(
          {0, Does::nothing, is_send(transfer) ? Needs::sent : Needs::received, *ended++, event});
    }
  }
}

double replay(const schedules::Schedule& schedule, const RankNetwork& network) {
  std::vector<int> ranks(schedule.ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  models::Program program;
  const ScheduledMessages messages(schedule, ranks, program);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    double computing = 0;
    messages.add_steps(rank, 0, computing, program.ranks.emplace_back());
  }
  program.tail_seconds.resize(ranks.size(), 0);
  PortNetwork ports(network);
  return models::replay(program, ports).seconds;
}

}  // namespace hockney::collectives
