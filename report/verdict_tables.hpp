#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/exports.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/guidelines.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::report {

/// Where a cell is: "setting default, bcast, 4 ranks, in-place=yes".
std::string place_text(const verdicts::GuidelineCell& cell);

/// Which side took how long: the one line of a violation.
std::string violation_text(const verdicts::Violation& violation);

/// Why a cell is undecided.
std::string doubt_text(const verdicts::GuidelineVerdict& verdict);

/// What is said of a family of guidelines.
struct GuidelineReport {
  const verdicts::GuidelineSet& set;
  const std::vector<verdicts::Violation>& violations;
  const std::vector<verdicts::KnownViolation>& known;
};

/// For each setting and number of ranks a table of guidelines by message sizes, with a mark for
/// each verdict; then a line for every violation, what is undecided and why, what could not be
/// measured, and known violations that were not seen.
void print_guideline_table(std::ostream& out, const GuidelineReport& report);

/// A case for every cell: unknown violations fail; known ones, and what is undecided, are skipped
/// with the reason.
JUnitSuite guideline_suite(const GuidelineReport& report);

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
