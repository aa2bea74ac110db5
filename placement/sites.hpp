#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "placement/hop.hpp"
#include "placement/schedule.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// Where a rank of a job lives.
struct RankSite {
  int node = 0;            ///< nodes are numbered from 0
  const Pu* pu = nullptr;  ///< nullptr when the rank is not bound to one CPU
};

/// How far apart two ranks are. Nothing is known of two ranks of one node when one is not bound, or
/// when they share a CPU.
std::optional<Hop> hop_between(const RankSite& one, const RankSite& other);

/// Two ranks and how far apart they are.
struct RankHop {
  RankPair ranks;
  std::optional<Hop> hop;

  friend bool operator==(const RankHop&, const RankHop&) = default;
};

/// Where the nodes of a job are in the network.
struct NodeNetwork {
  const SiteFile& sites;
  std::vector<std::string> hosts;  ///< the name of each node
};

/// One pair for each class that occurs, near to far: of its pairs the one with the fewest ranks on
/// the core of a CPU 0, as far as a rank on that tells which it is, then the lowest ranks. Where
/// the network is known, one for each of its classes in the order of their names. `sites` are those
/// of ranks 0, 1, and so on. Takes as long as there are pairs of ranks in nodes and of places in
/// the network, not of nodes. InputError for a host that the network does not have.
std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const NodeNetwork* network = nullptr);

}  // namespace hockney::placement
