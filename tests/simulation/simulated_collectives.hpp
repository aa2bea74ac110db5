#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"

namespace hockney::simulation {

/// One algorithm as the simulator and as hockney call it.
struct SimulatedAlgorithm {
  std::string operation;
  std::string simulator;  ///< of --cfg=smpi/<operation>:<simulator>
  std::string hockney;    ///< canonical name
};

struct SimulatedTime {
  int ranks = 0;
  std::int64_t bytes = 0;
  double seconds = 0;
};

/// A platform and the hosts that ranks run on, in order.
struct SimulatedNetwork {
  std::string xml;
  std::vector<std::string> hosts;
};

/// Equal hosts behind one switch: 1 us and 10 GB/s between any two.
SimulatedNetwork uniform_network(int hosts);

/// What SMPI adds to each message [B].
inline constexpr double envelope_bytes = 16;

/// The 256 hosts of a dragonfly: 4 groups of 4 chassis of 4 routers with 4 hosts each. All links
/// have 300 ns and 8 GB/s; 4 of them join two groups, 3 two chassis.
SimulatedNetwork dragonfly_network();

/// Its sites: routers, chassis and groups.
SiteFile dragonfly_sites();

/// Links between two of its hosts by SimGrid's minimal routes: to the blade of this group that is
/// numbered as the other group is, in its first chassis; across; to the blade, then to the chassis.
/// Two of them join the hosts to their routers.
int dragonfly_links(int from, int to);

/// An algorithm and the sizes at which it is timed [B].
struct SimulatedWork {
  SimulatedAlgorithm algorithm;
  std::vector<std::int64_t> sizes;
};

/// Times of collectives on the first `ranks` hosts, those of each work in order; every message is a
/// rendezvous, and both directions of a link are independent.
std::vector<std::vector<SimulatedTime>> simulate(const SimulatedNetwork& network,
                                                 const std::vector<SimulatedWork>& works,
                                                 int ranks);

/// A record of ping-pongs between all pairs of these hosts.
Record simulate_pairs(const SimulatedNetwork& network, const std::vector<std::string>& hosts,
                      const std::vector<std::int64_t>& sizes);

/// Of a prediction, relative to the time simulated.
inline double error_of(double predicted, double seconds) {
  return std::abs(predicted - seconds) / seconds;
}

/// As a launch that proved which algorithm ran.
Record record_of(const SimulatedNetwork& network, const SimulatedAlgorithm& algorithm, int ranks,
                 const std::vector<SimulatedTime>& times);

}  // namespace hockney::simulation
