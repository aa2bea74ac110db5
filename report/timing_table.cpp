#include "report/timing_table.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

/// Empty for hockney's own way.
std::string timing_of(const Row& row) {
  const auto name = row.point.parameters.find(timing_parameter);
  return name == row.point.parameters.end() ? "" : name->second;
}

Point without_timing(Point point) {
  point.parameters.erase(timing_parameter);
  return point;
}

/// Setting and curve, whoever timed it.
using CurveKey = std::pair<std::string, std::string>;
using TimingKey = std::tuple<CurveKey, std::int64_t>;

CurveKey curve_key(const Row& row) { return {row.setting, curve_name(without_timing(row.point))}; }
TimingKey timing_key(const Row& row) { return {curve_key(row), row.point.bytes.value}; }

/// What one launch says of each point, by timing.
using LaunchTimes = std::map<TimingKey, std::map<std::string, double>>;

LaunchTimes times_of(const Record& launch) {
  LaunchTimes times;
  for (const Row& row : campaign_rows({&launch, 1})) {
    if (row.median_seconds) times[timing_key(row)][timing_of(row)] = *row.median_seconds;
  }
  return times;
}

std::vector<double> ratios_of(const std::vector<LaunchTimes>& launches, const Row& row) {
  std::vector<double> ratios;
  for (const LaunchTimes& launch : launches) {
    const auto times = launch.find(timing_key(row));
    if (times == launch.end()) continue;
    const auto own = times->second.find("");
    const auto suite = times->second.find(timing_of(row));
    const bool both = own != times->second.end() && suite != times->second.end();
    if (both && own->second > 0) ratios.push_back(suite->second / own->second);
  }
  return ratios;
}

SuiteTime compared(const std::vector<LaunchTimes>& launches, const Row& row) {
  SuiteTime time{.suite = timing_of(row), .row = row, .ratios = ratios_of(launches, row)};
  time.ratio = median(time.ratios);
  time.ratio_interval = quantile_interval(time.ratios);
  return time;
}

}  // namespace

TimedRows timed_rows(std::span<const Record> records, double level) {
  const std::vector<Row> rows = campaign_rows(records, level);
  std::set<CurveKey> timed;
  for (const Row& row : rows) {
    if (!timing_of(row).empty()) timed.insert(curve_key(row));
  }
  TimedRows parted;
  if (timed.empty()) return {.alone = rows};
  std::vector<LaunchTimes> launches;
  for (const Record& record : records) launches.push_back(times_of(record));
  std::map<TimingKey, std::size_t> places;  // in parted.compared
  for (const Row& row : rows) {
    if (!timed.contains(curve_key(row))) {
      parted.alone.push_back(row);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(timing_key(row), parted.compared.size());
    if (is_new) {
      parted.compared.push_back({.own = {.point = without_timing(row.point),
                                         .setting = row.setting,
                                         .reason = "it has times of other suites only"}});
    }
    TimingRow& together = parted.compared[place->second];
    if (timing_of(row).empty()) {
      together.own = row;
    } else {
      together.suites.push_back(compared(launches, row));
    }
  }
  return parted;
}

namespace {

constexpr int suite_time_width = 13;
constexpr int suite_ratio_width = 13;
constexpr int suite_interval_width = 18;

using Names = std::vector<std::string>;

/// The suites of a curve, in the order in which they appear.
Names suites_of(std::span<const TimingRow> curve) {
  Names names;
  for (const TimingRow& row : curve) {
    for (const SuiteTime& time : row.suites) {
      if (std::ranges::find(names, time.suite) == names.end()) names.push_back(time.suite);
    }
  }
  return names;
}

void print_header(std::ostream& out, const Row& row, const Names& suites) {
  out << curve_title(row) << '\n'
      << std::setw(bytes_width) << "bytes" << std::setw(suite_time_width) << "hockney[us]"
      << std::setw(interval_width) << "interval[us]";
  for (const std::string& suite : suites) {
    out << std::setw(suite_time_width) << inert(suite) + "[us]" << std::setw(suite_ratio_width)
        << inert(suite) + "/hockney" << std::setw(suite_interval_width) << "interval";
  }
  out << std::setw(count_width) << "launches" << '\n';
}

std::string ratio_text(const SuiteTime& time) {
  return time.ratio ? significant(*time.ratio, 3) : "-";
}

void print_suite(std::ostream& out, const TimingRow& row, const std::string& suite) {
  const auto time = std::ranges::find(row.suites, suite, &SuiteTime::suite);
  const bool known = time != row.suites.end();
  out << std::setw(suite_time_width) << (known ? microseconds_text(time->row.median_seconds) : "-")
      << std::setw(suite_ratio_width) << (known ? ratio_text(*time) : "-")
      << std::setw(suite_interval_width)
      << (known ? interval_text(time->ratio_interval, 1, 3) : "-");
}

/// Of any timing, each once.
Names flags_of(const TimingRow& row) {
  Names flags = row.own.flags;
  for (const SuiteTime& time : row.suites) {
    for (const std::string& flag : time.row.flags) {
      if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
    }
  }
  return flags;
}

void print_row(std::ostream& out, const TimingRow& row, const Names& suites) {
  const auto measured = [](const SuiteTime& time) { return time.row.median_seconds.has_value(); };
  out << std::setw(bytes_width) << format_bytes(row.own.point.bytes);
  if (!row.own.median_seconds && std::ranges::none_of(row.suites, measured)) {
    out << "  not measured (" << inert(row.own.reason) << ")\n";
    return;
  }
  out << std::setw(suite_time_width) << microseconds_text(row.own.median_seconds)
      << std::setw(interval_width) << interval_text(row.own.interval_seconds, microseconds);
  for (const std::string& suite : suites) print_suite(out, row, suite);
  out << std::setw(count_width) << row.own.launch_medians_seconds.size();
  const Names flags = flags_of(row);
  if (!flags.empty()) out << "  " << inert(join(flags, " "));
  out << '\n';
}

void print_curve_notes(std::ostream& out, std::span<const TimingRow> curve) {
  std::vector<Row> rows;
  for (const TimingRow& row : curve) {
    rows.push_back(row.own);
    for (const SuiteTime& time : row.suites) rows.push_back(time.row);
  }
  out << "  ratio: of the times of one launch, median over launches; docs/suites.md says what each "
         "suite times\n";
  print_notes(out, rows);
}

}  // namespace

void print_timing_tables(std::ostream& out, const std::vector<TimingRow>& rows) {
  const auto same_curve = [](const TimingRow& a, const TimingRow& b) {
    return a.own.setting == b.own.setting && curve_name(a.own.point) == curve_name(b.own.point);
  };
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(
        first, rows.end(), [&](const TimingRow& row) { return same_curve(*first, row); });
    const Names suites = suites_of({first, last});
    print_header(out, first->own, suites);
    std::for_each(first, last, [&](const TimingRow& row) { print_row(out, row, suites); });
    print_curve_notes(out, {first, last});
    first = last;
  }
}

}  // namespace hockney
