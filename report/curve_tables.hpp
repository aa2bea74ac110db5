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
#include "report/table.hpp"

namespace hockney::report {

struct TableStyle {
  double level = default_level;  ///< of the intervals over launches
  bool tails = false;            ///< high quantiles too
  bool in_bytes = false;         ///< sizes as plain numbers
};

/// An empty table of rows for people and for awk: all other lines begin with '#'.
Table rows_table(Table table, const TableStyle& style);

/// A table for each curve: bytes, time of one operation [us] with its interval over launches, half
/// the interval's width in percent of the time, bandwidth [MB/s = 1e6 B/s], launches and flags; of
/// collectives the bandwidth of the busiest rank, too.
/// Where ranks begin together, their skew in percent of the time; where their own times were
/// recorded, the shortest and the longest of any rank; where messages were watched, their path;
/// with `tails` high quantiles, "-" where a launch has too few samples for one. Notes follow;
/// points nobody measured are listed with the reason.
void print_latency_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style = {});

/// The lines under a table: blocks that do not count and why, samples far outside of the bulk, how
/// many deliveries were checked, and what the intervals are or why there are none; and an empty
/// line.
void print_notes(std::ostream& out, std::span<const Row> rows);

/// Sizes at which launches took several paths, and reasons why none is proven.
void print_path_notes(std::ostream& out, std::span<const Row> rows);

// Cells of rows.

inline constexpr int path_width = 10;
/// The path that all launches took, or all that were taken.
std::string path_cell(const Row& row);

std::string bytes_cell(const Row& row);
std::string time_cell(const Row& row);      ///< [us]
std::string interval_cell(const Row& row);  ///< [us]
std::string launches_cell(const Row& row);

/// The remark at the end of a row; empty without flags.
std::string flags_remark(const std::vector<std::string>& flags);

/// A line for a point nobody measured, with the reason.
void add_unmeasured(Table& table, const Row& row);

/// A sentence for each fault, the worst first, which stands before everything else on a screen.
std::vector<std::string> fault_lines(std::span<const FaultFinding> faults);

/// These lines, each with an empty one behind it.
void print_faults(std::ostream& out, std::span<const FaultFinding> faults);

/// One value of an axis, all other axes and the point being the same.
struct AxisRow {
  std::string value;
  Row row;                                 ///< its median with interval
  std::optional<double> ratio;             ///< to the axis' default; nullopt for the default itself
  std::optional<Interval> ratio_interval;  ///< over launches, paired where both have the same ones
};

/// The values of an axis at one point, the default first.
struct AxisBlock {
  Point point;
  std::map<std::string, std::string> others;  ///< where on the other axes all of it lies
  std::vector<AxisRow> rows;
};

struct AxisTable {
  std::string axis;
  std::string base;               ///< the value that ratios are to
  std::vector<AxisBlock> blocks;  ///< by other axes, curve (in order of appearance) and bytes
  int settings_alone = 0;         ///< settings without a partner on this axis, left out
};

/// The complete launches of one campaign by one of its axes; InputError as of group_by_axis.
AxisTable by_axis(std::span<const Record> records, const std::string& axis);

/// One table for each curve and each place on the other axes; a line for each size and value, with
/// median, exact interval and ratio to the axis' default.
void print_axis_table(std::ostream& out, const AxisTable& table);

}  // namespace hockney::report
