#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/rows.hpp"
#include "report/table.hpp"

namespace hockney {

/// A table for each curve: bytes, time of one operation [us] with its interval over launches, half
/// the interval's width in percent of the time, bandwidth [MB/s = 1e6 B/s], launches and flags; of
/// collectives the bandwidth of the busiest rank, too.
/// Where ranks begin together, their skew in percent of the time; where their own times were
/// recorded, the shortest and the longest of any rank; with `tails` high quantiles, "-"
/// where a launch has too few samples for one. Notes follow; points nobody measured are listed with
/// the reason.
void print_latency_tables(std::ostream& out, const std::vector<Row>& rows, bool tails = false);

/// The lines under a table: visits that do not count and why, samples far outside of the bulk, how
/// many deliveries were checked, and what the intervals are or why there are none; and an empty
/// line.
void print_notes(std::ostream& out, std::span<const Row> rows);

// Cells of rows.

std::string bytes_cell(const Row& row);
std::string time_cell(const Row& row);      ///< [us]
std::string interval_cell(const Row& row);  ///< [us]
std::string launches_cell(const Row& row);

/// The remark at the end of a row; empty without flags.
std::string flags_remark(const std::vector<std::string>& flags);

/// A line for a point nobody measured, with the reason.
void add_unmeasured(Table& table, const Row& row);

}  // namespace hockney
