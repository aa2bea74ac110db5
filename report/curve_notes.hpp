#pragma once

#include <ostream>
#include <span>

#include "report/rows.hpp"

namespace hockney {

/// The lines under the table of a curve: visits that do not count and why, samples far outside of
/// the bulk, and what the interval is or why there is none.
void print_notes(std::ostream& out, std::span<const Row> curve);

}  // namespace hockney
