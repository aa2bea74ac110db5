#pragma once

#include "report/guideline_table.hpp"
#include "report/screens/screen.hpp"

namespace hockney {

/// How many cases are violated, satisfied and undecided; then a line for each guideline that is
/// violated: at which sizes, by how much, what the right side saves and what would repair it.
Lines guidelines_answer(const GuidelineReport& report);

}  // namespace hockney
