#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>
#include <vector>

#include "core/record.hpp"
#include "report/curve_tables.hpp"

namespace hockney::report {

/// Prints the tables of a launch or a campaign: one for each curve, with its latency
/// (report/curve_tables.hpp). All have intervals over launches; unknown values are "-". `rows` are
/// the campaign_rows of `records` at the style's level. Some points have tables of other kinds:
/// - Timed also as other suites time them: hockney's time [us], each suite's time [us] and its
/// ratio in the same launch.
/// - Measured with floors of the machine: time and floors [us], path of each size, ratio of MPI to
/// the floor of its path.
/// - Nonblocking operations: the part hidden by other work.
/// - Kernels: their ways of communicating (report/kernel_tables.hpp), without curves.
/// The findings of hockney-protocol follow (report/library_tables.hpp).
void print_record_tables(std::ostream& out, std::vector<Row> rows, std::span<const Record> records,
                         const TableStyle& style = {});

/// The same, computing the rows.
inline void print_record_tables(std::ostream& out, std::span<const Record> records,
                                const TableStyle& style = {}) {
  print_record_tables(out, campaign_rows(records, style.level), records, style);
}

/// For the nonblocking operations among the rows: the part that other work hides.
void print_overlap_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style = {});

/// Prints the findings of hockney-protocol, memory of ranks, and the memory of buffers.
void print_machine_tables(std::ostream& out, std::span<const Record> records);

/// Prints the noise of cores (core/noise.hpp); nothing if it was not recorded. First the median
/// over all cores and the noisiest core, then a row for each of the noisiest cores of a setting.
/// Columns: stolen time [%], interruptions per second, usual and longest duration [us], periods
/// [ms]. With several launches: the median over launches, with intervals from six on. With one: the
/// median over the parts of the recording, with its interval.
void print_noise_tables(std::ostream& out, std::span<const Record> records,
                        double level = default_level);

/// The same results for programs, by list: `floors`, `overlaps`, `disturbances`, `suites`, `noise`,
/// `kernels` (docs/reference/json-documents.md). `rows` are the campaign_rows of `records`.
nlohmann::json result_lists(std::vector<Row> rows, std::span<const Record> records,
                            double level = default_level);

}  // namespace hockney::report
