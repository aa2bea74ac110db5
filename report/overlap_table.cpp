#include "report/overlap_table.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <tuple>

#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"

namespace hockney {
namespace {

std::string parameter(const Point& point, const char* key) {
  const auto named = point.parameters.find(key);
  return named == point.parameters.end() ? "" : named->second;
}

Point without_work(Point point) {
  point.parameters.erase(work_parameter);
  point.parameters.erase(tests_parameter);
  return point;
}

/// A point, whatever goes on beside it: setting, curve, bytes.
using OverlapKey = std::tuple<std::string, std::string, std::int64_t>;

OverlapKey key_of(const Row& row) {
  return {row.setting, curve_name(without_work(row.point)), row.point.bytes.value};
}

/// The times of points with one kind of work.
using Times = std::map<OverlapKey, std::optional<double>>;

struct PointTimes {
  Times pure;
  Times work;
};

PointTimes times_of(const std::vector<Row>& rows) {
  PointTimes times;
  for (const Row& row : rows) {
    const std::string work = parameter(row.point, work_parameter);
    if (work == "none") times.pure[key_of(row)] = row.median_seconds;
    if (work == "alone") times.work[key_of(row)] = row.median_seconds;
  }
  return times;
}

std::optional<double> time_at(const Times& times, const OverlapKey& key) {
  const auto found = times.find(key);
  return found == times.end() ? std::nullopt : found->second;
}

bool is_during(const Row& row) { return parameter(row.point, work_parameter) == "during"; }

/// nullopt where one of the three times is not known.
std::optional<double> overlap_of(const PointTimes& times, const Row& both) {
  const auto pure = time_at(times.pure, key_of(both));
  const auto work = time_at(times.work, key_of(both));
  if (!both.median_seconds || !pure || !work || *pure <= 0) return std::nullopt;
  return 1 - (*both.median_seconds - *work) / *pure;
}

}  // namespace

std::vector<OverlapRow> overlap_rows(std::span<const Record> records, double level) {
  using RowKey = std::pair<OverlapKey, std::string>;
  std::map<RowKey, std::vector<double>> overlaps;
  for (const Record& record : records) {
    const std::vector<Row> rows = campaign_rows({&record, 1}, level);
    const PointTimes times = times_of(rows);
    for (const Row& row : rows) {
      if (!is_during(row)) continue;
      const auto overlap = overlap_of(times, row);
      if (overlap)
        overlaps[{key_of(row), parameter(row.point, tests_parameter)}].push_back(*overlap);
    }
  }
  const std::vector<Row> rows = campaign_rows(records, level);
  const PointTimes times = times_of(rows);
  std::vector<OverlapRow> all;
  for (const Row& row : rows) {
    if (!is_during(row)) continue;
    OverlapRow made{.point = without_work(row.point),
                    .setting = row.setting,
                    .tests = parameter(row.point, tests_parameter),
                    .pure_seconds = time_at(times.pure, key_of(row)),
                    .work_seconds = time_at(times.work, key_of(row)),
                    .both_seconds = row.median_seconds};
    made.overlaps = overlaps[{key_of(row), made.tests}];
    made.overlap = median(made.overlaps);
    made.interval = quantile_interval(made.overlaps, 0.5, level);
    all.push_back(std::move(made));
  }
  return all;
}

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
