#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace hockney {

/// From one rank to another.
struct Flow {
  int from = 0;
  int to = 0;

  friend auto operator<=>(const Flow&, const Flow&) = default;
};

/// The share of all bytes of a launch that went from one rank to another. A launch that does
/// little else than one large operation shows by it the tree of its algorithm, however often it was
/// called.
using TrafficShares = std::map<Flow, double>;

/// Of what Open MPI's pml_monitoring wrote, a file for each rank.
TrafficShares traffic_shares(const std::vector<std::string>& profiles);

/// The largest difference of any share.
double share_difference(const TrafficShares& a, const TrafficShares& b);

}  // namespace hockney
