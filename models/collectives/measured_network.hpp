#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"
#include "models/collectives/collective_curves.hpp"
#include "models/collectives/hop_costs.hpp"
#include "models/fit_set.hpp"

namespace hockney::collectives {

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
std::vector<Channel> fit_channels(const std::vector<Curve>& curves, const NetworkOfRanks& network);

/// Gives the hop classes of a network these channels.
void share_channels(RankNetwork& network, const std::vector<Channel>& channels);

/// A network as ping-pongs found it: alpha and beta of each hop class from the fits, and how much
/// farther than their class single pairs of near sites are, from the smallest size of each pair.
class MeasuredNetwork {
 public:
  /// `records` with the hop classes of `sites` (name_network_hops), and the fits to them by hop.
  MeasuredNetwork(SiteFile sites, std::span<const Record> records, const models::FitSet& fits);

  /// The network of ranks on these hosts, one after the other; nullopt where a hop class between
  /// two of them was not measured.
  [[nodiscard]] std::optional<RankNetwork> on(const std::vector<std::string>& hosts) const;

  /// Hop classes between these hosts that were not measured.
  [[nodiscard]] std::vector<std::string> missing(const std::vector<std::string>& hosts) const;

  [[nodiscard]] const SiteFile& sites() const { return sites_; }

 private:
  [[nodiscard]] std::vector<HopCost> costs() const;

  SiteFile sites_;
  std::map<std::string, HopCost> classes_;
  /// By the sites of the first level: alpha of the pair less that of its class [s].
  std::map<std::pair<std::string, std::string>, double> offsets_;
};

/// The hosts of a record's ranks, in order of rank.
std::vector<std::string> hosts_of(const Record& record);

}  // namespace hockney::collectives
