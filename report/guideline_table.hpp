#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/junit.hpp"
#include "verdicts/guidelines.hpp"
#include "verdicts/guidelines_json.hpp"

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

}  // namespace hockney::report
