#pragma once

#include <span>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/screen.hpp"

namespace hockney {

/// How far to trust some rows, in a line or more: wrong data before everything else; how many
/// intervals are close, and the word for it ("good": nine of ten within 5 % of their median,
/// "fair": half of them, else "poor"); the part of the blocks that others disturbed; points that
/// were not measured; settings that the library ignored, or that could not be proven.
Lines trust_in(std::span<const Record> records, std::span<const Row> rows);

}  // namespace hockney
