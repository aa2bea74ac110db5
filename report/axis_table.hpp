#pragma once

#include <ostream>

#include "report/by_axis.hpp"

namespace hockney {

/// One table for each curve and each place on the other axes; a line for each size and value, with
/// median, exact interval and ratio to the axis' default.
void print_axis_table(std::ostream& out, const AxisTable& table);

}  // namespace hockney
