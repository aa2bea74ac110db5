#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace hockney::tune {

/// From one rank to another.
struct Flow {
  int from = 0;
  int to = 0;

  friend auto operator<=>(const Flow&, const Flow&) = default;
};

/// The share of all bytes of a launch that went from one rank to another. A launch that does
/// little else than one large operation shows by it the tree of its algorithm, however often it was
/// called.
using TrafficFractions = std::map<Flow, double>;

/// Of what Open MPI's pml_monitoring wrote, a file for each rank.
TrafficFractions traffic_fractions(const std::vector<std::string>& profiles);

/// The largest difference of any share.
double largest_difference(const TrafficFractions& a, const TrafficFractions& b);

}  // namespace hockney::tune
