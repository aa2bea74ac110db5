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

/// A row for each verdict.
View view_of(const verdicts::GuidelineSet& set);

/// For each setting and number of ranks a table of guidelines by message sizes, with a mark for
/// each verdict; then a line for every violation, what is undecided and why, what could not be
/// measured, and known violations that were not seen.
void print_guideline_table(std::ostream& out, const GuidelineReport& report);

/// A case for every cell: unknown violations fail; known ones, and what is undecided, are skipped
/// with the reason.
JUnitSuite guideline_suite(const GuidelineReport& report);

/// A row for each point of both sides: medians over launches with intervals, the ratio B/A with its
/// interval, the adjusted p-value, the verdict, and the proven paths. Lines of text name curves and
/// say how many launches would decide.
View view_of(const verdicts::CompareSet& set);
/// The same for each value of the axis. A is the base.
View view_of(const verdicts::AxisCompareSet& set);
/// A row for each rate: false alarms, power, coverage, clock syncs within their bound.
View view_of(const verdicts::SelfTest& test);

/// Both sides and the rows; then where curves cross, points that lack a side, and the family of
/// tests that the verdicts hold for.
void print_compare_table(std::ostream& out, const verdicts::CompareSet& set);

/// The same by values of an axis; then the values without a base.
void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set);

/// The rates, and how far clock syncs were from the truth.
void print_self_test(std::ostream& out, const verdicts::SelfTest& test);

}  // namespace hockney::report
