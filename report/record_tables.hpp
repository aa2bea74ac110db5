#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "core/record.hpp"
#include "core/settings/control_variable.hpp"
#include "report/rows.hpp"

namespace hockney {

/// The lines under a table: visits that do not count and why, samples far outside of the bulk, how
/// many deliveries were checked, and what the intervals are or why there are none; and an empty
/// line.
void print_notes(std::ostream& out, std::span<const Row> rows);

/// Every variable with its value in force and, below it, the values it may have. A number that has
/// a name is shown by it.
void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables);

struct TableStyle {
  double level = default_level;  ///< of the intervals over launches
  bool tails = false;            ///< high quantiles too
};

/// The tables of a launch or a campaign: one for each curve (report/latency_table.hpp), or, where
/// points were also timed as other suites would, one for all timings of a curve side by side
/// (report/timing_table.hpp). Where floors of the machine were measured, they stand beside the
/// curves of their ranks (report/path_table.hpp).
/// Nonblocking operations have a table of what other work hides of them (report/overlap_table.hpp).
/// Then what hockney-protocol found (report/protocol_table.hpp).
void print_record_tables(std::ostream& out, std::span<const Record> records,
                         const TableStyle& style = {});

}  // namespace hockney
