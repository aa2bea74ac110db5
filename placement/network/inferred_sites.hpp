#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"

namespace hockney::placement {

/// The measured distance of two items.
struct ItemDistance {
  std::size_t first = 0;
  std::size_t second = 0;
  double distance = 0;
};

/// The merge of two clusters, which are identified by their smallest items.
struct Join {
  std::size_t kept = 0;  ///< the smaller of both identifiers
  std::size_t given_up = 0;
  double distance = 0;  ///< mean over the measured pairs between them
};

/// Agglomerative clustering by average linkage (Sokal and Michener 1958). Repeatedly merges the two
/// clusters that are nearest on average, until one is left or no measured pair joins the rest.
/// Returns the merges in order; O(items^2) memory.
std::vector<Join> average_linkage(std::size_t items, const std::vector<ItemDistance>& measured);

/// The cluster of each item after all joins below `distance`, as its smallest item.
std::vector<std::size_t> clusters_below(std::size_t items, const std::vector<Join>& joins,
                                        double distance);

/// The valleys in the density of positive values, ascending. Values between two valleys are of one
/// kind. The density uses Gaussian kernels on logarithms, with Silverman's width (Density
/// Estimation, 1986, eq. 3.31). It is estimated for all values, then again in each part, so that
/// close kinds are separated next to distant ones. Kernels are at least 1 % wide: closer values are
/// one kind. For fewer than 30 values the width is from the spread on both sides of the widest gap.
/// Five or fewer have no valley. InputError for a value that is not finite or not above 0.
std::vector<double> density_valleys(std::vector<double> values);

/// The time of a small message between two hosts.
struct HostLatency {
  std::string first;
  std::string second;
  double seconds = 0;
};

/// Sites inferred from latencies, if no source states them.
struct InferredSites {
  SiteFile sites;            ///< levels are "tier-1" and so on, near to far; `inferred` is set
  std::size_t kinds = 0;     ///< of latencies, by the valleys of the density
  double agreement = 0;      ///< share of measured pairs with the most frequent kind of their class
  std::size_t measured = 0;  ///< number of pairs
};

/// Infers sites from the kinds of latencies, which the valleys of their density separate. Below
/// each valley, hosts that are nearer on average are at one site. Levels are left out if every host
/// is alone, all are together, or hosts are divided as on the level before. Pairs with several
/// latencies use the median. InputError for fewer than three hosts, or if some are not connected to
/// the others by measured pairs.
InferredSites infer_sites(const std::vector<HostLatency>& latencies, const std::string& detail);

/// The latencies between hosts in records: for each pair of hosts, the launch medians of the
/// smallest ping-pong message between their ranks.
std::vector<HostLatency> host_latencies(std::span<const Record> records);

}  // namespace hockney::placement
