#pragma once

#include <cstddef>
#include <vector>

#include "models/hockney.hpp"

namespace hockney {

/// Distinct sizes every segment must have when there is more than one: two parameters and at least
/// two residuals to judge them by.
inline constexpr std::size_t sizes_per_segment = 4;

/// A division of the sizes of a curve into runs, each with its own line.
struct Segmentation {
  std::vector<std::size_t> starts;  ///< index of the first size of each segment; starts[0] == 0
  double cost = 0;                  ///< sum of squared relative residuals

  [[nodiscard]] std::size_t segments() const { return starts.size(); }
  /// One past the last size of segment k of a curve with `sizes` sizes.
  [[nodiscard]] std::size_t end(std::size_t k, std::size_t sizes) const {
    return k + 1 < starts.size() ? starts[k + 1] : sizes;
  }
};

/// The best division into 1, 2, ... `most` segments (fewer when the sizes do not suffice): exact
/// dynamic programming over the segment neighbourhood, D[k][e] = min_s D[k-1][s] + cost(s, e)
/// (Bellman 1961; Bai and Perron 2003), O(most n^2). Empty for fewer than two sizes.
std::vector<Segmentation> best_segmentations(const LineCosts& costs, std::size_t most);

/// n ln(max(cost/n, floor^2)) + (3k - 1) ln n: two parameters a segment and one place a breakpoint.
/// No division scores below what the noise `floor` (relative, as a fraction) leaves undecided.
double information_criterion(const Segmentation& segmentation, std::size_t sizes, double floor);

/// The candidate with the lowest criterion, the one with fewer segments when two are equal.
/// `candidates` must not be empty.
const Segmentation& choose_segmentation(const std::vector<Segmentation>& candidates,
                                        std::size_t sizes, double floor);

}  // namespace hockney
