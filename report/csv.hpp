#pragma once

#include <ostream>
#include <vector>

#include "report/rows.hpp"

namespace hockney {

/// Tidy rows with a header line, RFC 4180; empty cells where nothing is known. Times in seconds,
/// bandwidth in B/s, flags and parameters joined by semicolons.
void write_csv(std::ostream& out, const std::vector<Row>& rows);

}  // namespace hockney
