#pragma once

#include <ostream>
#include <span>

#include "core/record.hpp"

namespace hockney {

/// The tables of a launch or a campaign: one for each curve (report/latency_table.hpp), or, where
/// points were also timed as other suites would, one for all timings of a curve side by side
/// (report/timing_table.hpp).
void print_record_tables(std::ostream& out, std::span<const Record> records);

}  // namespace hockney
