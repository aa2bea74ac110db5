#pragma once

#include <ostream>
#include <span>

#include "verdicts/variability.hpp"

namespace hockney::report {

/// First which cause has the largest part of the spread at how many points; then each point with
/// the share of every cause, a table for each curve, and why causes are not told.
void print_variability(std::ostream& out, std::span<const verdicts::VarianceSplit> splits);

}  // namespace hockney::report
