#pragma once

#include <cstddef>
#include <vector>

#include "models/curves.hpp"
#include "models/fit.hpp"

namespace hockney {

/// What became of the curves of some records.
struct FitSet {
  std::vector<Fit> fits;
  std::vector<FitFailure> failures;
  std::size_t records_used = 0;
  std::size_t records_left_out = 0;     ///< interrupted or failed launches
  std::size_t series_without_time = 0;  ///< no samples, or a median that is not positive
};

FitSet fit_curves(const Curves& curves, const FitOptions& options = {});

/// What a reader of a fit must know before believing it.
enum class FitWarning {
  few_launches,
  unconfirmed_breakpoints,
  rejected_breakpoints,
  missing_cells
};

std::vector<FitWarning> warnings(const Fit& fit);

}  // namespace hockney
