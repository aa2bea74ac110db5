#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"
#include "models/collectives/hop_costs.hpp"
#include "models/fit_set.hpp"

namespace hockney {

/// A network as ping-pongs found it: alpha and beta of each hop class from the fits, and how much
/// farther than their class single pairs of near sites are, from the smallest size of each pair.
class MeasuredNetwork {
 public:
  /// `records` with the hop classes of `sites` (name_network_hops), and the fits to them by hop.
  MeasuredNetwork(SiteFile sites, std::span<const Record> records, const FitSet& fits);

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

}  // namespace hockney
