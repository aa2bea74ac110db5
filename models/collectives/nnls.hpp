#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace hockney::collectives {

/// One equation: sum of row[j] x[j] should be `value`; residuals count in units of `scale`.
struct Equation {
  std::vector<double> row;
  double value = 0;
  double scale = 1;  ///< > 0
};

struct NonNegativeFit {
  std::vector<double> solution;          ///< all >= 0
  std::vector<std::size_t> inseparable;  ///< columns that are combinations of those before them
  double cost = 0;                       ///< sum of squared residuals in units of the scales
};

/// The non-negative least squares of at most four columns, by solving for every subset of those
/// that are separable; of equally good subsets the smallest, then the first. nullopt for no
/// equations or no columns.
std::optional<NonNegativeFit> fit_non_negative(const std::vector<Equation>& equations);

}  // namespace hockney::collectives
