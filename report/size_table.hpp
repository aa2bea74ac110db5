#pragma once

#include <cstddef>
#include <span>

#include "report/rows.hpp"
#include "report/screen.hpp"

namespace hockney::report {

/// A table for each curve, with a line for each size: time [us] with its interval over launches,
/// minimum, mean and maximum of all samples, p99, bandwidth. Until six launches the interval is the
/// range of the launches. Columns without values are left out. Sizes are thinned evenly to at most
/// `most_lines` lines; the smallest and the largest stay. Each curve's rows are adjacent and by
/// size. Empty for more than three curves.
Lines size_tables(std::span<const Row> rows, std::size_t most_lines);

/// Replaces the answer of a screen by size_tables(); leaves it unchanged without tables.
void put_sizes(Screen& screen, std::span<const Row> rows);

}  // namespace hockney::report
