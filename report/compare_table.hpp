#pragma once

#include <ostream>

#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney {

/// Both sides, then per curve a header and one row per size in fixed columns: medians of A and B
/// over launches [us] with their intervals, the ratio B/A with its interval, the adjusted p-value
/// and the verdict, with the paths proven for A and B where there are any. Where curves cross, and
/// points that lack a side, follow with the reason; the last line says which family
/// of tests the verdicts hold for and what "no evidence" means.
void print_compare_table(std::ostream& out, const CompareSet& set);

/// The rows of one set with their header, crossovers and points that lack a side.
void print_compare_body(std::ostream& out, const CompareSet& set);

/// The last line: `size` points were judged together.
void print_family(std::ostream& out, std::size_t size, const CompareOptions& options);

/// For each value of the axis, and place on the others, a line that names it and the rows of its
/// comparison with the base, which is A; then the values that have no base, and the family.
void print_compare_axis_table(std::ostream& out, const AxisCompareSet& set);

}  // namespace hockney
