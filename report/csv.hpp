#pragma once

#include <ostream>
#include <vector>

#include "report/rows.hpp"

namespace hockney {

/// Tidy rows with a header line, RFC 4180; empty cells where nothing is known. Times in seconds,
/// bandwidth in B/s, flags and parameters joined by semicolons. Texts do nothing to a terminal or a
/// spreadsheet and are kept exactly: control characters are escaped and backslashes doubled
/// (Breaks::escaped), and an apostrophe stands before =, +, -, @ and ' where a cell, or a part of
/// one after a semicolon, begins with it and the cell is no number.
void write_csv(std::ostream& out, const std::vector<Row>& rows);

}  // namespace hockney
