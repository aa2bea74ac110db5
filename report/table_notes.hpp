#pragma once

#include <ostream>
#include <span>

#include "report/rows.hpp"

namespace hockney {

/// The lines under a table: visits that do not count and why, samples far outside of the bulk, how
/// many deliveries were checked, and what the intervals are or why there are none; and an empty
/// line.
void print_notes(std::ostream& out, std::span<const Row> rows);

}  // namespace hockney
