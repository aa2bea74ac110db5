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

/// Place of a cell: "setting default, bcast, 4 ranks, in-place=yes".
std::string place_text(const verdicts::GuidelineCell& cell);

/// One line with the times of both sides of a violation.
std::string violation_text(const verdicts::Violation& violation);

/// Reason why a cell is undecided.
std::string doubt_text(const verdicts::GuidelineVerdict& verdict);

/// The results of a family of guidelines.
struct GuidelineReport {
  const verdicts::GuidelineSet& set;
  const std::vector<verdicts::Violation>& violations;
  const std::vector<verdicts::KnownViolation>& known;
};

/// A row for each verdict.
View view_of(const verdicts::GuidelineSet& set);

/// Prints a table of guidelines by message sizes for each setting and number of ranks, with a mark
/// for each verdict. Then follow all violations, undecided cells with reasons, unmeasured cells,
/// and known violations not seen.
void print_guideline_table(std::ostream& out, const GuidelineReport& report);

/// A case for every cell. Unknown violations fail; known violations and undecided cells are skipped
/// with the reason.
JUnitSuite guideline_suite(const GuidelineReport& report);

/// A row for each point of both sides: medians over launches with intervals, ratio B/A with
/// interval, adjusted p-value, verdict, proven paths. Text lines name the curves and the number of
/// launches that would decide.
View view_of(const verdicts::CompareSet& set);
/// The same for each value of the axis; A is the base.
View view_of(const verdicts::AxisCompareSet& set);
/// A row for each rate: false alarms, power, coverage, clock errors within their bound.
View view_of(const verdicts::SelfTest& test);

/// Prints both sides and the rows. Then follow crossovers, points that lack a side, and the family
/// of tests.
void print_compare_table(std::ostream& out, const verdicts::CompareSet& set);

/// The same by values of an axis; then values without a base.
void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set);

/// Prints the rates, and the errors of clock synchronisation.
void print_self_test(std::ostream& out, const verdicts::SelfTest& test);

}  // namespace hockney::report
