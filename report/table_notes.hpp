#pragma once

#include <ostream>
#include <span>

#include "report/rows.hpp"

namespace hockney {

/// Says so when visits did not count because something else kept the CPUs busy.
void print_disturbance(std::ostream& out, std::span<const Row> rows);

/// What the intervals of a table are, or why there are none; and an empty line.
void print_interval_note(std::ostream& out, std::span<const Row> rows);

}  // namespace hockney
