#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"
#include "models/collectives/replay.hpp"
#include "models/fit_set.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

/// One algorithm of one collective at many sizes and numbers of ranks.
struct Curve {
  std::string operation;                 ///< as models/schedules/schedule.hpp spells it
  std::optional<std::string> algorithm;  ///< canonical; nullopt: the library's choice
  std::optional<std::string> requested;  ///< canonical, or "default"; nullopt: unknown
  bool proven = false;                   ///< a verification showed that the algorithm ran
  std::string setting;                   ///< without the number of ranks, where that was varied
  std::string mpi_library;
  std::vector<schedules::Workload> works;  ///< distinct, ascending in ranks, then bytes
  /// works x launches: median time of one operation [s], > 0. Launches of different numbers of
  /// ranks are different jobs, so rows differ in length.
  std::vector<std::vector<double>> medians_seconds;
  /// Left out because their ranks share CPUs, while others do not; ascending.
  std::vector<int> oversubscribed_ranks = {};
  bool shares_cpus = false;  ///< no launch has a CPU for each of several ranks: these times count

  /// The smallest number of launches that any of the works has.
  [[nodiscard]] std::size_t launches() const;
  /// Distinct numbers of ranks, ascending.
  [[nodiscard]] std::vector<int> ranks() const;
};

/// The collectives of complete records, in order of first appearance. The algorithm is the proven
/// one. Without a proof it is the requested one, from `algorithms` of the record or the campaign's
/// axis "algorithm"; otherwise it is unknown. Times of the library's own choice form a curve of
/// that choice as well. Launches whose ranks share CPUs count only in curves without other
/// launches.
std::vector<Curve> collect_collectives(std::span<const Record> records);

/// gamma(k, n): time to send n bytes to k-1 ranks at once over the time to send them to one
/// (Nuriyev and Lastovetsky 2020). Measured by the linear bcast.
class GammaTable {
 public:
  void set(int ranks, std::int64_t bytes, double ratio) { ratios_[ranks][bytes] = ratio; }

  /// Linear in n between measured sizes, the nearest outside; nullopt for a k that was not
  /// measured.
  [[nodiscard]] std::optional<double> at(int ranks, std::int64_t bytes) const;
  [[nodiscard]] bool empty() const { return ratios_.empty(); }
  [[nodiscard]] const std::map<int, std::map<std::int64_t, double>>& ratios() const {
    return ratios_;
  }

 private:
  std::map<int, std::map<std::int64_t, double>> ratios_;
};

/// The table of the bcasts "basic_linear" of one library, whose two-rank times are the unit; empty
/// where they are missing.
GammaTable measure_gammas(std::span<const Curve> curves, const std::string& mpi_library);

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

/// Finds the bandwidth of shared links, which ping-pongs of one pair at a time cannot show. Replays
/// the curves' schedules, each stretched to the median of its curve. Chooses for each hop class,
/// near to far, the channel whose replays are nearest to the times. Candidates are the line's beta
/// and fractions of it, refined by coordinate descent. A channel counts when it takes a twentieth
/// and a thousandth off the error. One entry for each class beyond the same node; empty without
/// curves that can be replayed.
std::vector<Channel> fit_channels(const std::vector<Curve>& curves, const NetworkOfRanks& network);

/// Gives the hop classes of a network these channels.
void share_channels(RankNetwork& network, const std::vector<Channel>& channels);

/// A network measured by ping-pongs. Alpha and beta of each hop class are from the fits. The extra
/// latency of single pairs of sites is from the smallest size of each pair.
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
