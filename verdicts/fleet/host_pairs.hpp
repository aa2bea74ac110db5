#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney::fleet {

/// One pair of nodes in one night, for locating slow nodes and links.
struct NightlyPair {
  std::string a;       ///< host
  std::string b;       ///< host
  std::string hop;     ///< hop class
  double seconds = 0;  ///< median of the launch medians
  std::size_t launches = 0;
};

/// A pair of nodes in this night, at the point that it was measured at.
struct NightPair {
  std::string point;  ///< "pingpong/ranks=2 bytes=8 setting=nightly/seconds"
  NightlyPair pair;
};

/// Where the ranks of a launch ran.
using HostsOfRanks = std::map<int, std::string>;

HostsOfRanks hosts_by_rank(const Record& record);

/// The times between nodes, for each operation of pairs at its smallest size, where latency rules,
/// and at its largest, where bandwidth does: median over launches of the median over the launch's
/// pairs of ranks on these hosts. Hosts in the order of the alphabet. Pairs inside a node are no
/// pairs of nodes.
std::vector<NightPair> host_pairs(std::span<const Record> launches, const std::string& setting);

}  // namespace hockney::fleet
