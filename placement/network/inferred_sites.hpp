#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"

namespace hockney::placement {

/// How far apart two of some items were found to be.
struct ItemDistance {
  std::size_t first = 0;
  std::size_t second = 0;
  double distance = 0;
};

/// Two clusters that become one.
struct Join {
  std::size_t kept = 0;  ///< the lesser of the least items of both
  std::size_t given_up = 0;
  double distance = 0;  ///< mean over the pairs of items between them that were measured
};

/// Agglomerative clustering by average linkage (Sokal and Michener 1958): again and again the two
/// clusters that are nearest on average become one, until one is left, or no pair between those
/// left was measured. The joins in their order; O(items^2) memory.
std::vector<Join> average_linkage(std::size_t items, const std::vector<ItemDistance>& measured);

/// The cluster of each item when all joins below `distance` are made: its least item.
std::vector<std::size_t> clusters_below(std::size_t items, const std::vector<Join>& joins,
                                        double distance);

/// Where a density of positive values has its valleys, in ascending order: between two of them the
/// values are of one kind. Estimated on their logarithms with Gaussian kernels, whose width is
/// Silverman's for the values at hand (Density Estimation, 1986, eq. 3.31): first for all, then
/// anew within each part, so that kinds which are close are told apart beside those that are far.
/// Kernels are never narrower than 1 %: what is closer is one kind. Of fewer than 30 values the
/// width is that of the spread beside their widest gap; five or fewer have no valley. InputError
/// for a value that is not finite and above 0.
std::vector<double> density_valleys(std::vector<double> values);

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

/// The valleys of the density of all latencies say which kinds there are;
/// below each of them, hosts that are nearer on average are at one site. A
/// level at which every host is alone, or all are together, is left out, as is one that parts the
/// hosts as the one before. Pairs measured several times count by their median. InputError where
/// there are fewer than three hosts, or some that no pair joins with the others.
InferredSites infer_sites(const std::vector<HostLatency>& latencies, const std::string& detail);

/// The latencies between hosts in records: for each pair of hosts, the medians over launches of the
/// smallest message that was sent back and forth between ranks on them.
std::vector<HostLatency> host_latencies(std::span<const Record> records);

}  // namespace hockney::placement
