#pragma once

#include <cstddef>
#include <vector>

#include "models/curves.hpp"
#include "models/fit.hpp"
#include "models/pooled_curve.hpp"

namespace hockney {

/// The errors of the lines fitted to the segments that start at `starts`; the segments themselves
/// stay as they are when a size or a launch is held out.
FitErrors fit_errors(const Curve& curve, const PooledCurve& pooled,
                     const std::vector<std::size_t>& starts);

}  // namespace hockney
