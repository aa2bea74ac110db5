#pragma once

#include <ostream>
#include <vector>

#include "report/junit.hpp"
#include "verdicts/guideline_baseline.hpp"
#include "verdicts/guideline_repairs.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney {

/// What is said of a family of guidelines.
struct GuidelineReport {
  const GuidelineSet& set;
  const std::vector<Violation>& violations;
  const std::vector<KnownViolation>& known;
};

/// For each setting and number of ranks a table of guidelines by message sizes, with a mark for
/// each verdict; then a line for every violation, what is undecided and why, what could not be
/// measured, and known violations that were not seen.
void print_guideline_table(std::ostream& out, const GuidelineReport& report);

/// A case for every cell: unknown violations fail; known ones, and what is undecided, are skipped
/// with the reason.
JUnitSuite guideline_suite(const GuidelineReport& report);

}  // namespace hockney
