#pragma once

#include <ostream>

#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::report {

/// Both sides, then per curve a header and one row per size in fixed columns: medians of A and B
/// over launches [us] with their intervals, the ratio B/A with its interval, the adjusted p-value
/// and the verdict, with the paths proven for A and B where there are any. Where curves cross, and
/// points that lack a side, follow with the reason; the last line says which family
/// of tests the verdicts hold for and what "no evidence" means.
void print_compare_table(std::ostream& out, const verdicts::CompareSet& set);

/// For each value of the axis, and place on the others, a line that names it and the rows of its
/// comparison with the base, which is A; then the values that have no base, and the family.
void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set);

/// Of a self-test: false alarms, power, coverage and syncs within their bound in per cent with
/// their intervals, one line each, and how far the syncs were from the truth.
void print_self_test(std::ostream& out, const verdicts::SelfTest& test);

}  // namespace hockney::report
