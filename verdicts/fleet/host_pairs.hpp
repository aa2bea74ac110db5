#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "verdicts/fleet/nightly_pair.hpp"

namespace hockney {

/// Where the ranks of a launch ran.
using HostsOfRanks = std::map<int, std::string>;

HostsOfRanks hosts_by_rank(const Record& record);

/// The times between nodes, for each operation of pairs at its smallest size, where latency rules,
/// and at its largest, where bandwidth does: median over launches of the median over the launch's
/// pairs of ranks on these hosts. Hosts in the order of the alphabet. Pairs inside a node are no
/// pairs of nodes.
std::vector<NightPair> host_pairs(std::span<const Record> launches, const std::string& setting);

}  // namespace hockney
