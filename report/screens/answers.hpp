#pragma once

#include <span>
#include <string>

#include "core/record.hpp"
#include "report/guideline_table.hpp"
#include "report/rows.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// How many cases are violated, satisfied and undecided; then a line for each guideline that is
/// violated: at which sizes, by how much, what the right side saves and what would repair it.
Lines guidelines_answer(const GuidelineReport& report);

/// How many intervals are close, and the word for it ("good": nine of ten within 5 % of their
/// median, "fair": half of them, else "poor"); or why there is none.
std::string interval_words(std::span<const Row> rows);

/// How far to trust some rows, in a line or more: the intervals; the part of the blocks that others
/// disturbed; points that were not measured; settings that the library ignored, or that could not
/// be proven.
Lines trust_in(std::span<const Record> records, std::span<const Row> rows);

/// The screen of any records: guidelines, limits of the protocol, settings against each other, or
/// the curves of one setting, whichever these were made for; faults before everything else. Its
/// next steps are the caller's.
Screen screen_of(std::span<const Record> records, const ScreenStyle& style = {});

}  // namespace hockney::report
