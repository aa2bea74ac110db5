#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"

namespace hockney::placement {

/// The time of a small message between two hosts.
struct HostLatency {
  std::string first;
  std::string second;
  double seconds = 0;
};

/// Sites guessed from latencies alone, where nothing states them.
struct InferredSites {
  SiteFile sites;            ///< levels are "tier-1" and so on, near to far; `inferred` is set
  std::size_t kinds = 0;     ///< of latencies that the density tells apart
  double agreement = 0;      ///< share of the measured pairs whose kind is that of their class
  std::size_t measured = 0;  ///< pairs
};

/// The valleys of the density of all latencies (density_valleys.hpp) say which kinds there are;
/// below each of them, hosts that are nearer on average (average_linkage.hpp) are at one site. A
/// level at which every host is alone, or all are together, is left out, as is one that parts the
/// hosts as the one before. Pairs measured several times count by their median. InputError where
/// there are fewer than three hosts, or some that no pair joins with the others.
InferredSites infer_sites(const std::vector<HostLatency>& latencies, const std::string& detail);

/// The latencies between hosts in records: for each pair of hosts, the medians over launches of the
/// smallest message that was sent back and forth between ranks on them.
std::vector<HostLatency> host_latencies(std::span<const Record> records);

}  // namespace hockney::placement
