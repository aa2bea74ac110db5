#pragma once

#include <ostream>
#include <vector>

#include "report/timing_rows.hpp"

namespace hockney {

/// A table for each curve that was timed in several ways: bytes, hockney's time of one operation
/// [us] with its interval over launches, then for each suite what it would print [us] and that
/// relative to hockney's time in the same launch, with its interval over launches; launches and
/// flags. "-" for what is not known; points nobody measured are listed with the reason.
void print_timing_tables(std::ostream& out, const std::vector<TimingRow>& rows);

}  // namespace hockney
