#pragma once

#include <ostream>

#include "verdicts/compare.hpp"

namespace hockney {

/// Both sides, then per curve a header and one row per size in fixed columns: medians of A and B
/// over launches [us] with their intervals, the ratio B/A with its interval, the adjusted p-value
/// and the verdict, with the paths proven for A and B where there are any. Where curves cross, and
/// points that lack a side, follow with the reason; the last line says which family
/// of tests the verdicts hold for and what "no evidence" means.
void print_compare_table(std::ostream& out, const CompareSet& set);

}  // namespace hockney
