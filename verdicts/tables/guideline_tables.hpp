#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/exports.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::report {

/// Place of a cell: "setting default, bcast, 4 ranks, in-place=yes".
std::string place_text(const verdicts::GuidelineCell& cell);

/// The results of a family of guidelines.
struct GuidelineReport {
  const verdicts::GuidelineSet& set;
  const std::vector<verdicts::Violation>& violations;
  const std::vector<verdicts::KnownViolation>& known;
};

/// A row for each verdict.
View view_of(const verdicts::GuidelineSet& set);

inline constexpr std::string_view guidelines_schema = "hockney.guidelines/1";

/// The document of `hockney guidelines --json`; unknown values are null.
nlohmann::json to_json(const GuidelineReport& report);

/// Prints a table of guidelines by message sizes for each setting and number of ranks, with a mark
/// for each verdict. Then follow all violations, undecided cells with reasons, unmeasured cells,
/// and known violations not seen.
void print_guideline_table(std::ostream& out, const GuidelineReport& report);

/// A case for every cell. Unknown violations fail; known violations and undecided cells are skipped
/// with the reason.
JUnitSuite guideline_suite(const GuidelineReport& report);

}  // namespace hockney::report
