#include "models/collectives/channels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "algorithms/schedule.hpp"
#include "core/statistics.hpp"
#include "models/collectives/replay.hpp"

namespace hockney {
namespace {

/// Channels of 1 to 32 links in parallel, then steps around the best.
constexpr std::array fractions{1.0,     1 / 2.0,  1 / 3.0,  1 / 4.0,  1 / 6.0,
                               1 / 8.0, 1 / 12.0, 1 / 16.0, 1 / 24.0, 1 / 32.0};
constexpr std::array refinements{1.2, 1 / 1.2, 1.1, 1 / 1.1, 1.03, 1 / 1.03};
constexpr int passes = 2;
constexpr double least_share = 0.05;
constexpr double least_gain = 0.001;

struct Replayed {
  Schedule schedule;
  RankNetwork* network = nullptr;
  double seconds = 0;
};

/// All that can be replayed, and the error of it.
class Times {
 public:
  Times(const std::vector<CollectiveCurve>& curves, const NetworkOfRanks& network) {
    for (const CollectiveCurve& curve : curves) add(curve, network);
  }

  [[nodiscard]] bool empty() const { return curves_.empty(); }
  [[nodiscard]] const std::vector<HopCost>& costs() const {
    return networks_.begin()->second.costs();
  }

  /// Mean over the times of |log(time/replay) - median of its curve|.
  double error(const std::vector<Channel>& channels) {
    for (auto& [ranks, network] : networks_) share_channels(network, channels);
    double sum = 0;
    std::size_t count = 0;
    for (const auto& curve : curves_) {
      std::vector<double> stretches;
      stretches.reserve(curve.size());
      for (const Replayed& each : curve) {
        stretches.push_back(std::log(each.seconds / replay(each.schedule, *each.network)));
      }
      const double usual = median_of_some(stretches);
      for (const double stretch : stretches) sum += std::abs(stretch - usual);
      count += stretches.size();
    }
    return sum / static_cast<double>(count);
  }

 private:
  void add(const CollectiveCurve& curve, const NetworkOfRanks& network) {
    const std::string algorithm = curve.algorithm.value_or("");
    const auto known = algorithms_of(curve.operation);
    if (std::ranges::find(known, algorithm) == known.end()) return;
    std::vector<Replayed> all;
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const Workload& work = curve.works[i];
      const bool is_apart = work.ranks > 1 && !unfit(curve.operation, algorithm, work);
      RankNetwork* const ranks = is_apart ? on(work.ranks, network) : nullptr;
      if (ranks == nullptr) continue;
      all.push_back({schedule_of(curve.operation, algorithm, work), ranks,
                     median_of_some(curve.medians_seconds[i])});
    }
    if (!all.empty()) curves_.push_back(std::move(all));
  }

  /// nullptr where the network is not known.
  RankNetwork* on(int ranks, const NetworkOfRanks& network) {
    const auto found = networks_.find(ranks);
    if (found != networks_.end()) return &found->second;
    auto made = network(ranks);
    if (!made) return nullptr;
    return &networks_.emplace(ranks, std::move(*made)).first->second;
  }

  std::map<int, RankNetwork> networks_;
  std::vector<std::vector<Replayed>> curves_;
};

/// Improves one channel; the error afterwards.
double improve(Times& times, std::vector<Channel>& channels, std::size_t which, double beta,
               double error) {
  Channel& channel = channels[which];
  double best = channel.seconds_per_byte;
  const auto attempt = [&](double seconds_per_byte) {
    channel.seconds_per_byte = seconds_per_byte;
    const double found = times.error(channels);
    if (found < error) {
      error = found;
      best = seconds_per_byte;
    }
  };
  for (const double fraction : fractions) attempt(beta * fraction);
  for (const double step : refinements) attempt(best * step);
  channel.seconds_per_byte = best;
  return error;
}

/// Drops a channel without which replays are as good.
void judge(Times& times, std::vector<Channel>& channels, std::size_t which) {
  Channel& channel = channels[which];
  channel.error_with = times.error(channels);
  const double found = std::exchange(channel.seconds_per_byte, 0);
  channel.error_without = times.error(channels);
  const double gain = channel.error_without - channel.error_with;
  const bool counts = gain > least_gain && gain > least_share * channel.error_without;
  if (counts) channel.seconds_per_byte = found;
}

}  // namespace

std::vector<Channel> fit_channels(const std::vector<CollectiveCurve>& curves,
                                  const NetworkOfRanks& network) {
  Times times(curves, network);
  if (times.empty()) return {};
  const std::vector<HopCost> costs = times.costs();
  std::vector<Channel> channels;
  for (std::size_t hop = 1; hop < costs.size(); ++hop) channels.push_back({.hop = costs[hop].name});
  double error = times.error(channels);
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const double beta = costs[i + 1].segments.back().beta_seconds_per_byte;
      error = improve(times, channels, i, beta, error);
    }
  }
  for (std::size_t i = 0; i < channels.size(); ++i) judge(times, channels, i);
  return channels;
}

void share_channels(RankNetwork& network, const std::vector<Channel>& channels) {
  for (HopCost& cost : network.costs()) {
    const auto found = std::ranges::find(channels, cost.name, &Channel::hop);
    if (found != channels.end()) cost.channel_seconds_per_byte = found->seconds_per_byte;
  }
}

}  // namespace hockney
