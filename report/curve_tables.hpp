#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

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

}  // namespace hockney::report
