#pragma once

#include <cstdint>
#include <vector>

#include "models/collectives/nnls.hpp"

namespace hockney::collectives {

/// Equations of one message size.
struct SizeEquations {
  std::int64_t bytes = 0;
  std::vector<Equation> equations;
};

/// The first size of each segment, found by exact dynamic programming: `sizes` ascending, at least
/// three sizes to a segment, four segments at the most; their number by the Bayesian information
/// criterion, in which no relative residual counts as less than the noise floor.
std::vector<std::size_t> size_segments(const std::vector<SizeEquations>& sizes, double noise_floor);

/// All equations of the sizes first <= i < last.
std::vector<Equation> equations_between(const std::vector<SizeEquations>& sizes, std::size_t first,
                                        std::size_t last);

}  // namespace hockney::collectives
