#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "placement/hop.hpp"
#include "placement/schedule.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// Where a rank of the job lives.
struct RankSite {
  int rank = 0;
  int node = 0;               ///< index into the topologies of the job
  std::optional<int> os_cpu;  ///< nullopt when the rank is not bound to one CPU
};

/// Two ranks and how far apart they are. Nothing is known of two ranks of one node when one is not
/// bound, or when they share a CPU.
struct RankHop {
  RankPair ranks;
  std::optional<Hop> hop;

  friend bool operator==(const RankHop&, const RankHop&) = default;
};

/// Every pair of ranks, ordered by the lower, then the higher rank. `nodes[site.node]` is the
/// topology of that node. InputError for a node or CPU that does not exist and for a rank listed
/// twice.
std::vector<RankHop> rank_hops(const std::vector<RankSite>& sites,
                               const std::vector<Topology>& nodes);

/// The class of two different nodes in the network, by their numbers.
using NetworkClass = std::function<std::string(int, int)>;

/// One pair for each class that occurs, near to far: of its pairs the one with the fewest ranks on
/// the core of a CPU 0, then the lowest ranks. Where the network has classes, one for each of them
/// in the order of their names. Errors as rank_hops.
std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const std::vector<Topology>& nodes,
                                          const NetworkClass& network = nullptr);

}  // namespace hockney::placement
