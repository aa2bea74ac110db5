#include "models/collectives/hop_costs.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace hockney::collectives {

const HopSegment& HopCost::segment(std::int64_t bytes) const {
  const auto found = std::ranges::lower_bound(segments, bytes, {}, &HopSegment::to_bytes);
  return found == segments.end() ? segments.back() : *found;
}

RankNetwork::RankNetwork(std::vector<std::vector<int>> sites, std::vector<HopCost> costs)
    : sites_(std::move(sites)), costs_(std::move(costs)) {
  if (costs_.size() != sites_.size() + 1) {
    throw InputError({std::to_string(costs_.size()) + " hop classes have a cost",
                      std::to_string(sites_.size()) + " levels of sites make one more than that",
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
  const HopSegment& line = cost.segment(bytes);
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

}  // namespace hockney::collectives
