#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace hockney::placement
