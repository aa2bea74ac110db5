#include "report/overlap_table.hpp"

#include <algorithm>
#include <iomanip>

#include "core/inert_text.hpp"
#include "core/sizes.hpp"
#include "report/columns.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"

namespace hockney {
namespace {

constexpr int tests_width = 7;
constexpr int overlap_width = 10;
constexpr int overlap_interval_width = 20;

bool same_curve(const OverlapRow& a, const OverlapRow& b) {
  return a.setting == b.setting && curve_name(a.point) == curve_name(b.point);
}

void print_header(std::ostream& out, const OverlapRow& row) {
  out << curve_title({.point = row.point, .setting = row.setting}) << " beside work\n"
      << std::setw(bytes_width) << "bytes" << std::setw(tests_width) << "tests"
      << std::setw(time_width) << "pure[us]" << std::setw(time_width) << "work[us]"
      << std::setw(time_width) << "both[us]" << std::setw(overlap_width) << "overlap"
      << std::setw(overlap_interval_width) << "interval" << std::setw(count_width) << "launches"
      << '\n';
}

void print_row(std::ostream& out, const OverlapRow& row) {
  out << std::setw(bytes_width) << format_bytes(row.point.bytes) << std::setw(tests_width)
      << inert(row.tests) << std::setw(time_width) << microseconds_text(row.pure_seconds)
      << std::setw(time_width) << microseconds_text(row.work_seconds) << std::setw(time_width)
      << microseconds_text(row.both_seconds) << std::setw(overlap_width)
      << (row.overlap ? significant(*row.overlap, 3) : "-") << std::setw(overlap_interval_width)
      << interval_text(row.interval, 1, 3) << std::setw(count_width) << row.overlaps.size() << '\n';
}

}  // namespace

void print_overlap_tables(std::ostream& out, const std::vector<OverlapRow>& rows) {
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(
        first, rows.end(), [&](const OverlapRow& row) { return same_curve(*first, row); });
    print_header(out, *first);
    std::for_each(first, last, [&](const OverlapRow& row) { print_row(out, row); });
    out << "  overlap: 1 - (both - work) / pure in one launch, median over launches; 1 all hidden, "
           "0 none, below 0 slower than one after the other\n\n";
    first = last;
  }
}

}  // namespace hockney
