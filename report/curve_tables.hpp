#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/faults.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "report/rows.hpp"
#include "report/view.hpp"

namespace hockney::report {

struct TableStyle {
  double level = default_level;  ///< of the intervals over launches
  bool tails = false;            ///< also print high quantiles
  bool in_bytes = false;         ///< sizes as plain numbers

  [[nodiscard]] Sizes sizes() const { return in_bytes ? Sizes::in_bytes : Sizes::short_if_alike; }
};

/// A table for each curve. Columns: bytes, time of one operation [us] with its interval over
/// launches, half the interval's width [% of the time]. Also bandwidth [MB/s = 1e6 B/s], launches
/// and flags. Further columns, where measured: bandwidth of the busiest rank (collectives), skew of
/// the start [% of the time]. Also shortest and longest time of any rank, path of the messages.
/// With `tails` also high quantiles; "-" if a launch has too few samples. Notes follow. Unmeasured
/// points are listed with the reason.
void print_latency_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style = {});

/// Adds the lines under a table: blocks left out and why, outliers, deliveries checked, the kind of
/// interval or the reason for none.
void add_notes(View& view, std::span<const Row> rows);

/// Adds the sizes at which launches took several paths, and reasons for unproven paths.
void add_path_notes(View& view, std::span<const Row> rows);

/// A sentence for each fault, worst first; a screen prints them before everything else.
std::vector<std::string> fault_lines(std::span<const FaultFinding> faults);

/// Prints these lines, each followed by an empty one.
void print_faults(std::ostream& out, std::span<const FaultFinding> faults);

}  // namespace hockney::report
