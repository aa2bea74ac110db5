#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/rows.hpp"

namespace hockney::report {

/// A line of CSV (RFC 4180). Texts do nothing to a terminal or a spreadsheet and are kept exactly:
/// control characters are escaped and backslashes doubled (Breaks::escaped), and an apostrophe
/// stands before =, +, -, @ and ' where a cell, or a part of one after a semicolon, begins with it
/// and the cell is no number.
std::string csv_line(const std::vector<std::string>& cells);

/// Tidy rows of these records with a header line; empty cells where nothing is known. Times in
/// seconds, bandwidth in B/s, what is several joined by semicolons; after the columns of
/// docs/output.md one for each parameter and each axis that a row has.
void write_csv(std::ostream& out, const std::vector<Row>& rows, std::span<const Record> records);

}  // namespace hockney::report
