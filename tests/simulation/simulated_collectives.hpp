#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hockney {

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

/// Times of a collective on the first `ranks` hosts; every message is a rendezvous, and both
/// directions of a link are independent.
std::vector<SimulatedTime> simulate(const SimulatedNetwork& network,
                                    const SimulatedAlgorithm& algorithm, int ranks,
                                    const std::vector<std::int64_t>& sizes);

}  // namespace hockney
