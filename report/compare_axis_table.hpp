#pragma once

#include <ostream>

#include "verdicts/compare_axis.hpp"

namespace hockney {

/// For each value of the axis, and place on the others, a line that names it and the rows of its
/// comparison with the base, which is A; then the values that have no base, and the family.
void print_compare_axis_table(std::ostream& out, const AxisCompareSet& set);

}  // namespace hockney
