#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/collective_curves.hpp"
#include "models/collectives/hop_costs.hpp"

namespace hockney {

/// The channel that all messages between the same two sites of a hop class share.
struct Channel {
  std::string hop;
  double seconds_per_byte = 0;  ///< 0: the times show none
  /// Mean relative error of the replays, as a fraction, with this channel and with none.
  double error_with = 0;
  double error_without = 0;
};

/// The network of a number of ranks; nullopt when it is not known.
using NetworkOfRanks = std::function<std::optional<RankNetwork>(int ranks)>;

/// Ping-pongs of one pair after the other cannot show what links carry; collectives can. Chooses
/// for each hop class, near to far, the channel with which replays of the curves' schedules, each
/// stretched to the median of its own curve, are nearest to the times: among the line's own beta
/// and fractions of it, then refined, by coordinate descent. A channel counts when it takes a
/// twentieth and a thousandth off the error. One entry for each class beyond the same node; empty
/// without curves that can be replayed.
std::vector<Channel> fit_channels(const std::vector<CollectiveCurve>& curves,
                                  const NetworkOfRanks& network);

/// Gives the hop classes of a network these channels.
void share_channels(RankNetwork& network, const std::vector<Channel>& channels);

}  // namespace hockney
