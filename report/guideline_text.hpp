#pragma once

#include <string>

#include "verdicts/guideline_repairs.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney {

/// Where a cell is: "setting default, bcast, 4 ranks, in-place=yes".
std::string place_text(const GuidelineCell& cell);

/// Which side took how long: the one line of a violation.
std::string violation_text(const Violation& violation);

/// Why a cell is undecided.
std::string doubt_text(const GuidelineVerdict& verdict);

}  // namespace hockney
