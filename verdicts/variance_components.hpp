#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hockney::verdicts {

/// Values that were taken under the same circumstances.
struct ValueGroup {
  double count = 0;
  double mean = 0;
  double squares = 0;       ///< sum of squares about the mean
  std::vector<int> levels;  ///< of each factor, 0 or above: which draw of it the values share
};

/// The variances of independent random effects that add up to the values: of each factor, and last
/// of the values in a group. Estimated by MINQUE(0) (Rao 1971; Hartley, Rao and LaMotte 1978):
/// unbiased whatever the distributions, for factors that are nested or crossed, and however many
/// values each level has; in a balanced nested design the estimates of the analysis of variance.
/// Below 0 where there is less variance than chance alone makes. Empty where the factors cannot be
/// told apart: two that part the values alike, one with a single level, or groups of one value each
/// that are levels of a factor.
std::vector<double> variance_components(std::span<const ValueGroup> groups, std::size_t factors);

}  // namespace hockney::verdicts
