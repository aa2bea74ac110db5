#pragma once

#include <set>
#include <string>
#include <vector>

#include "benchmarks/harness/placement.hpp"

namespace hockney::benchmarks::programs {

/// Ranks in ascending order, no rank in two sets.
using RankSets = std::vector<std::vector<int>>;

/// The ranks of each node, in order of nodes.
RankSets nodes_of(const JobPlacement& job);

/// The hop classes between any two ranks, nearest first.
std::set<placement::Hop> hops_of(const JobPlacement& job);

/// Ranks that are joined by pairs no farther apart than `hop`.
RankSets within(const JobPlacement& job, placement::Hop hop);

/// Two places of the machine, and how far apart they are.
struct Cut {
  std::string hop;          ///< the word of every pair of ranks, one of each place
  std::vector<int> first;   ///< ranks of one place, nearer to each other than that
  std::vector<int> second;  ///< as many of the other
};

/// For each hop class, near to far, those of the network included, the two places between which
/// most pairs of ranks can meet; of equal ones the first. Where places are single ranks, such as
/// cores of one cache, all of them, half and half. Classes of which nothing is known, as of ranks
/// that are not bound, are left out.
std::vector<Cut> widest_cuts(const JobPlacement& job);

}  // namespace hockney::benchmarks::programs
