#include "report/path_table.hpp"

#include <algorithm>
#include <iomanip>
#include <set>
#include <span>

#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "core/sizes.hpp"
#include "report/columns.hpp"
#include "report/number_text.hpp"
#include "report/table_notes.hpp"

namespace hockney {
namespace {

constexpr int path_width = 10;
constexpr int multiple_width = 9;
constexpr int multiple_interval_width = 16;

/// The path that all launches took, or all that were taken.
std::string path_text(const Row& row) {
  return row.paths.empty() ? "-" : inert(join(row.paths, "|"));
}

void print_header(std::ostream& out, const Row& row) {
  out << curve_title(row) << '\n'
      << std::setw(bytes_width) << "bytes" << std::setw(time_width) << "time[us]"
      << std::setw(interval_width) << "interval[us]" << std::setw(path_width) << "path"
      << std::setw(time_width) << "line[us]" << std::setw(time_width) << "memcpy[us]"
      << std::setw(time_width) << "vm-read[us]" << std::setw(multiple_width) << "x floor"
      << std::setw(multiple_interval_width) << "interval" << std::setw(count_width) << "launches"
      << '\n';
}

void print_row(std::ostream& out, const PathRow& row) {
  const Row& mpi = row.mpi;
  out << std::setw(bytes_width) << format_bytes(mpi.point.bytes);
  if (!mpi.median_seconds) {
    out << "  not measured (" << inert(mpi.reason) << ")\n";
    return;
  }
  out << std::setw(time_width) << microseconds_text(mpi.median_seconds) << std::setw(interval_width)
      << interval_text(mpi.interval_seconds, microseconds) << std::setw(path_width)
      << path_text(mpi) << std::setw(time_width) << microseconds_text(row.line_seconds)
      << std::setw(time_width) << microseconds_text(row.memcpy_seconds) << std::setw(time_width)
      << microseconds_text(row.process_vm_seconds) << std::setw(multiple_width)
      << (row.multiple ? significant(*row.multiple, 3) : "-") << std::setw(multiple_interval_width)
      << interval_text(row.multiple_interval, 1, 3) << std::setw(count_width)
      << mpi.launch_medians_seconds.size();
  if (!mpi.flags.empty()) out << "  " << inert(join(mpi.flags, " "));
  out << '\n';
}

void print_path_notes(std::ostream& out, std::span<const PathRow> rows) {
  std::set<std::string> said;
  for (const PathRow& row : rows) {
    if (row.mpi.paths.size() > 1) {
      out << "  paths: at " << format_bytes(row.mpi.point.bytes) << " not all launches have one\n";
    }
    const std::string& reason = row.unproven_because;
    if (reason.empty() || !said.insert(reason).second) continue;
    out << "  unproven: from " << format_bytes(row.mpi.point.bytes) << " (" << inert(reason)
        << ")\n";
  }
}

}  // namespace

void print_path_tables(std::ostream& out, const std::vector<PathRow>& rows) {
  const auto same_curve = [](const PathRow& a, const PathRow& b) {
    return a.mpi.setting == b.mpi.setting && curve_name(a.mpi.point) == curve_name(b.mpi.point);
  };
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const PathRow& row) { return same_curve(*first, row); });
    print_header(out, first->mpi);
    std::for_each(first, last, [&](const PathRow& row) { print_row(out, row); });
    print_path_notes(out, {first, last});
    std::vector<Row> curve;
    std::transform(first, last, std::back_inserter(curve),
                   [](const PathRow& row) { return row.mpi; });
    print_notes(out, curve);
    first = last;
  }
}

}  // namespace hockney
