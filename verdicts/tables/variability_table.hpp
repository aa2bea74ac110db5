#pragma once

#include <ostream>
#include <span>

#include "verdicts/variability.hpp"

namespace hockney::report {

/// First the number of points at which each cause has the largest share of the spread. Then a table
/// for each curve: the shares of all causes at each point, and the causes that could not be
/// separated, with reasons.
void print_variability(std::ostream& out, std::span<const verdicts::VarianceSplit> splits);

}  // namespace hockney::report
