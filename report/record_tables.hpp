#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "core/record.hpp"
#include "report/curve_tables.hpp"
#include "verdicts/variability.hpp"

namespace hockney::report {

/// The tables of a launch or a campaign, one for each curve: its latency (report/curve_tables.hpp).
/// Where points were also timed as other suites would, all timings side by side: hockney's time
/// [us], then for each suite what it would print [us] and that relative to hockney's time in the
/// same launch. Where floors of the machine were measured, these beside the times [us], with the
/// path proven at each size and how many times the floor of its path MPI takes. Of nonblocking
/// operations what other work hides of them. Of kernels their ways of communicating
/// (report/kernel_tables.hpp), and no curves. All with intervals over launches; "-" for what is not
/// known. Then what hockney-protocol found (report/library_tables.hpp). `rows` are the
/// campaign_rows of the records at the level of the style.
void print_record_tables(std::ostream& out, std::vector<Row> rows, std::span<const Record> records,
                         const TableStyle& style = {});

/// The same of records without their rows.
inline void print_record_tables(std::ostream& out, std::span<const Record> records,
                                const TableStyle& style = {}) {
  print_record_tables(out, campaign_rows(records, style.level), records, style);
}

/// Of nonblocking operations among the rows what other work hides of them.
void print_overlap_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style = {});

/// What hockney-protocol found, memory of ranks, and what memory buffers had.
void print_machine_tables(std::ostream& out, std::span<const Record> records);

/// What was stolen from cores (core/noise.hpp), nothing where it was not recorded: first the middle
/// of all cores and the noisiest, then a row for each of the noisiest cores of a setting: how much
/// was stolen [%], interruptions in a second, how long the usual and the longest took [us], and
/// their periods [ms]. Of several launches the median over launches, with intervals from six on; of
/// one the median over the parts of the recording, with its interval.
void print_noise_tables(std::ostream& out, std::span<const Record> records,
                        double level = default_level);

/// First which cause has the largest part of the spread at how many points; then each point with
/// the share of every cause, a table for each curve, and why causes are not told.
void print_variability(std::ostream& out, std::span<const verdicts::VarianceSplit> splits);

}  // namespace hockney::report
