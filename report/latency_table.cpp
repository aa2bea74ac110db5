#include "report/latency_table.hpp"

#include <algorithm>
#include <iomanip>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

constexpr double megabyte = 1e6;  // bytes, as OMB and IMB count them
constexpr int wide_width = 14;
constexpr int rate_width = 12;

std::string share_text(const Row& row) {
  if (!row.interval_seconds || !row.median_seconds || *row.median_seconds <= 0) return "-";
  const double half = (row.interval_seconds->high - row.interval_seconds->low) / 2;
  return significant(100 * half / *row.median_seconds, 2);
}

/// How far apart the ranks began, in per cent of the time.
std::string skew_text(const Row& row) {
  if (!row.skew_seconds || !row.median_seconds || *row.median_seconds <= 0) return "-";
  return significant(100 * *row.skew_seconds / *row.median_seconds, 2);
}

std::string rate_text(const std::optional<BytesPerSecond>& bandwidth) {
  return bandwidth ? significant(bandwidth->value / megabyte) : "-";
}

/// The columns that not every table has.
struct Columns {
  bool buses = false;
  bool skews = false;
  bool locals = false;
  bool tails = false;
};

void print_header(std::ostream& out, const Row& row, Columns columns) {
  out << curve_title(row) << '\n'
      << std::setw(bytes_width) << "bytes" << std::setw(time_width) << "time[us]"
      << std::setw(interval_width) << "interval[us]" << std::setw(share_width) << "+-%"
      << std::setw(rate_width) << "MB/s";
  if (columns.buses) out << std::setw(rate_width) << "bus-MB/s";
  out << std::setw(count_width) << "launches";
  if (columns.skews) out << std::setw(share_width) << "skew-%";
  if (columns.locals) {
    out << std::setw(wide_width) << "shortest[us]" << std::setw(wide_width) << "longest[us]";
  }
  if (columns.tails) {
    out << std::setw(time_width) << "p90[us]" << std::setw(time_width) << "p99[us]"
        << std::setw(time_width) << "p99.9[us]";
  }
  out << '\n';
}

void print_row(std::ostream& out, const Row& row, Columns columns) {
  out << std::setw(bytes_width) << format_bytes(row.point.bytes);
  if (!row.median_seconds) {
    out << "  not measured (" << inert(row.reason) << ")\n";
    return;
  }
  out << std::setw(time_width) << significant(*row.median_seconds * microseconds)
      << std::setw(interval_width) << interval_text(row.interval_seconds, microseconds)
      << std::setw(share_width) << share_text(row) << std::setw(rate_width)
      << rate_text(row.bandwidth());
  if (columns.buses) out << std::setw(rate_width) << rate_text(row.bus_bandwidth());
  out << std::setw(count_width) << row.launch_medians_seconds.size();
  if (columns.skews) out << std::setw(share_width) << skew_text(row);
  if (columns.locals) {
    out << std::setw(wide_width) << microseconds_text(row.shortest_local_seconds)
        << std::setw(wide_width) << microseconds_text(row.longest_local_seconds);
  }
  if (columns.tails) {
    out << std::setw(time_width) << microseconds_text(row.tails.p90_seconds)
        << std::setw(time_width) << microseconds_text(row.tails.p99_seconds)
        << std::setw(time_width) << microseconds_text(row.tails.p999_seconds);
  }
  if (!row.flags.empty()) out << "  " << inert(join(row.flags, " "));
  out << '\n';
}

}  // namespace

void print_latency_tables(std::ostream& out, const std::vector<Row>& rows, bool tails) {
  const auto same_curve = [](const Row& a, const Row& b) {
    return a.setting == b.setting && curve_name(a.point) == curve_name(b.point);
  };
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const Row& row) { return same_curve(*first, row); });
    const bool buses = std::any_of(
        first, last, [](const Row& row) { return row.bus_bytes_per_sample.value_or(0) > 0; });
    const bool skews =
        std::any_of(first, last, [](const Row& row) { return row.skew_seconds.has_value(); });
    const bool locals = std::any_of(
        first, last, [](const Row& row) { return row.shortest_local_seconds.has_value(); });
    const Columns columns{.buses = buses, .skews = skews, .locals = locals, .tails = tails};
    print_header(out, *first, columns);
    std::for_each(first, last, [&](const Row& row) { print_row(out, row, columns); });
    print_notes(out, {first, last});
    first = last;
  }
}

}  // namespace hockney
