#include "report/record_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/kernel_tables.hpp"
#include "report/library_tables.hpp"
#include "report/rows.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr int suite_time_width = 13;
constexpr int suite_ratio_width = 13;
constexpr int suite_interval_width = 18;

/// A column for one suite's times; "-" in rows without one.
template <class Cell>
ItemColumn<TimingRow> suite_column(const TableColumn& column, const std::string& suite, Cell cell) {
  return {column, [suite, cell](const TimingRow& row) -> std::string {
            const auto time = std::ranges::find(row.suites, suite, &SuiteTime::suite);
            return time == row.suites.end() ? "-" : cell(*time);
          }};
}

ItemColumns<TimingRow> timing_columns(std::span<const TimingRow> curve) {
  ItemColumns<TimingRow> columns{
      {bytes_column, [](const TimingRow& row) { return bytes_cell(row.own); }},
      {{"hockney[us]", suite_time_width}, [](const TimingRow& row) { return time_cell(row.own); }},
      {{"interval[us]", interval_width},
       [](const TimingRow& row) { return interval_cell(row.own); }}};
  std::vector<std::string> suites;  // in order of appearance
  for (const TimingRow& row : curve) {
    for (const SuiteTime& time : row.suites) {
      if (std::ranges::find(suites, time.suite) == suites.end()) suites.push_back(time.suite);
    }
  }
  for (const std::string& suite : suites) {
    const std::string name = inert(suite);
    columns.push_back(suite_column({name + "[us]", suite_time_width}, suite,
                                   [](const SuiteTime& time) { return time_cell(time.row); }));
    columns.push_back(
        suite_column({name + "/hockney", suite_ratio_width}, suite,
                     [](const SuiteTime& time) { return significant(time.ratio, 1, 3); }));
    columns.push_back(suite_column(
        {"interval", suite_interval_width}, suite,
        [](const SuiteTime& time) { return interval_text(time.ratio_interval, 1, 3); }));
  }
  columns.push_back(
      {{"launches", count_width}, [](const TimingRow& row) { return launches_cell(row.own); }});
  return columns;
}

/// The flags of all timings, each once.
std::vector<std::string> flags_of(const TimingRow& row) {
  std::vector<std::string> flags = row.own.flags;
  for (const SuiteTime& time : row.suites) {
    for (const std::string& flag : time.row.flags) {
      if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
    }
  }
  return flags;
}

void print_timing_table(std::ostream& out, std::span<const TimingRow> curve,
                        const TableStyle& style) {
  const ItemColumns<TimingRow> columns = timing_columns(curve);
  Table table = rows_table(table_of(columns), style);
  table.text(curve_title(curve.front().own));
  table.header();
  std::vector<Row> rows;
  for (const TimingRow& row : curve) {
    const std::size_t first = rows.size();
    rows.push_back(row.own);
    for (const SuiteTime& time : row.suites) rows.push_back(time.row);
    const auto has_time = [](const Row& one) { return one.median_seconds.has_value(); };
    if (std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), has_time)) {
      table.row(cells_of(columns, row), flags_remark(flags_of(row)));
    } else {
      add_unmeasured(table, row.own);
    }
  }
  out << table
      << "# ratio: of the times of one launch, median over launches; docs/reference/osu-and-imb.md "
         "says what each suite times\n";
  print_notes(out, rows);
}

constexpr int multiple_width = 9;
constexpr int multiple_interval_width = 16;

ItemColumns<PathRow> path_columns() {
  using Path = PathRow;
  return {
      {bytes_column, [](const Path& row) { return bytes_cell(row.mpi); }},
      {{"time[us]", time_width}, [](const Path& row) { return time_cell(row.mpi); }},
      {{"interval[us]", interval_width}, [](const Path& row) { return interval_cell(row.mpi); }},
      {{"path", path_width}, [](const Path& row) { return path_cell(row.mpi); }},
      {{"line[us]", time_width},
       [](const Path& row) { return microseconds_text(row.line_seconds); }},
      {{"memcpy[us]", time_width},
       [](const Path& row) { return microseconds_text(row.memcpy_seconds); }},
      {{"vm-read[us]", time_width},
       [](const Path& row) { return microseconds_text(row.process_vm_seconds); }},
      {{"x floor", multiple_width},
       [](const Path& row) { return significant(row.multiple, 1, 3); }},
      {{"interval", multiple_interval_width},
       [](const Path& row) { return interval_text(row.multiple_interval, 1, 3); }},
      {{"launches", count_width}, [](const Path& row) { return launches_cell(row.mpi); }}};
}

void print_path_table(std::ostream& out, std::span<const PathRow> curve, const TableStyle& style) {
  const ItemColumns<PathRow> columns = path_columns();
  Table table = rows_table(table_of(columns), style);
  table.text(curve_title(curve.front().mpi));
  table.header();
  std::vector<Row> rows;
  for (const PathRow& row : curve) {
    rows.push_back(row.mpi);
    if (row.mpi.median_seconds) {
      table.row(cells_of(columns, row), flags_remark(row.mpi.flags));
    } else {
      add_unmeasured(table, row.mpi);
    }
  }
  out << table
      << "# x floor: time over that of the floor of its path, memcpy of shm and vm-read of cma; "
         "below 1 the library copies faster than that plain loop "
         "(docs/how-to/paths-and-eager-limits.md)\n";
  print_path_notes(out, rows);
  print_notes(out, rows);
}

constexpr int tests_width = 7;
constexpr int overlap_width = 10;
constexpr int overlap_interval_width = 20;

void print_overlap_table(std::ostream& out, std::span<const OverlapRow> curve,
                         const TableStyle& style) {
  Table table = rows_table(Table({bytes_column,
                                  {"tests", tests_width},
                                  {"pure[us]", time_width},
                                  {"work[us]", time_width},
                                  {"both[us]", time_width},
                                  {"overlap", overlap_width},
                                  {"interval", overlap_interval_width},
                                  {"launches", count_width}}),
                           style);
  table.text(curve_title(curve.front().both) + " beside work");
  table.header();
  for (const OverlapRow& row : curve) {
    table.row({bytes_cell(row.both), inert(row.tests), microseconds_text(row.pure_seconds),
               microseconds_text(row.work_seconds), time_cell(row.both),
               significant(row.overlap, 1, 3), interval_text(row.interval, 1, 3),
               std::to_string(row.overlaps.size())});
  }
  out << table
      << "# overlap: 1 - (both - work) / pure in one launch, median over launches; 1 all hidden, "
         "0 none, below 0 slower than one after the other\n\n";
}

/// Words that describe a disturbance in a table.
struct DisturbanceWords {
  Disturbance disturbance;
  const char* title;  ///< after the name of the curve
  const char* alone;  ///< header of the undisturbed time
  const char* met;
  const char* factor;  ///< name of the ratio
};

constexpr std::array disturbance_words{
    DisturbanceWords{met_flows, " under contention", "alone[us]", "met[us]",
                     "time with that many flows over the time of one"},
    DisturbanceWords{busy_neighbours, " beside neighbours", "idle[us]", "beside[us]",
                     "time beside neighbours at work over that beside idle ones"},
    DisturbanceWords{other_pages, " on other pages", "same[us]", "other[us]",
                     "time on other pages over that on the same"}};

bool is_measured(const DisturbedRow& row) { return row.met.median_seconds.has_value(); }

void print_disturbance_table(std::ostream& out, std::span<const DisturbedRow> curve,
                             const DisturbanceWords& words, const TableStyle& style) {
  Table table = rows_table(Table({bytes_column,
                                  {words.disturbance.parameter, tests_width},
                                  {words.alone, time_width},
                                  {words.met, time_width},
                                  {"factor", overlap_width},
                                  {"interval", overlap_interval_width},
                                  {"launches", count_width}}),
                           style);
  table.text(curve_title(curve.front().met) + words.title);
  table.header();
  for (const DisturbedRow& row : curve) {
    table.row({bytes_cell(row.met), inert(row.value), microseconds_text(row.alone_seconds),
               time_cell(row.met), significant(row.factor, 1, 3), interval_text(row.interval, 1, 3),
               std::to_string(row.factors.size())});
  }
  out << table << "# factor: " << words.factor << " in the same launch, median over launches\n\n";
}

/// Prints the memory kinds of buffers outside host memory: each line once over all launches.
void print_buffers(std::ostream& out, std::span<const Record> records) {
  std::set<std::string> lines;
  for (const Record& record : records) {
    for (const BufferMemoryUse& use : record.buffers) {
      const std::string awareness = use.gpu_aware ? "; GPU-aware: " + *use.gpu_aware : "";
      lines.insert("# memory: " + inert(use.memory) + (use.is_proven ? ": " : " differs: ") +
                   inert(use.evidence + awareness));
    }
  }
  for (const std::string& line : lines) out << line << '\n';
}

}  // namespace

void print_overlap_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style) {
  for_each_curve(
      overlap_rows(rows, style.level), &OverlapRow::both,
      [&](std::span<const OverlapRow> curve) { print_overlap_table(out, curve, style); });
}

void print_machine_tables(std::ostream& out, std::span<const Record> records) {
  print_protocol_tables(out, records);
  print_buffers(out, records);
}

void print_record_tables(std::ostream& out, std::vector<Row> all, std::span<const Record> records,
                         const TableStyle& style) {
  const std::vector<KernelPoint> kernels = kernel_points(all, records, style.level);
  std::erase_if(all, [](const Row& row) { return is_of_kernel(row.point); });
  print_noise_tables(out, records, style.level);
  print_kernel_tables(out, kernels);
  const TimedRows rows = timed_rows(all, style.level);
  const PathRows paths = path_rows(rows.alone, style.level);
  print_latency_tables(out, paths.alone, style);
  print_overlap_tables(out, all, style);
  for (const DisturbanceWords& words : disturbance_words) {
    for_each_curve(disturbed_rows(all, words.disturbance, style.level), &DisturbedRow::met,
                   [&](std::span<const DisturbedRow> curve) {
                     if (std::ranges::none_of(curve, is_measured)) return;
                     print_disturbance_table(out, curve, words, style);
                   });
  }
  for_each_curve(paths.compared, &PathRow::mpi,
                 [&](std::span<const PathRow> curve) { print_path_table(out, curve, style); });
  for_each_curve(rows.compared, &TimingRow::own,
                 [&](std::span<const TimingRow> curve) { print_timing_table(out, curve, style); });
  print_machine_tables(out, records);
}

namespace {

/// A place of a rank: the same CPUs in every launch.
struct CoreKey {
  std::string setting;
  std::string host;
  std::string cpus;

  friend auto operator<=>(const CoreKey&, const CoreKey&) = default;
};

/// A figure of a core. The interval needs enough launches, or enough parts of one launch.
struct CoreFigure {
  std::optional<double> value;
  std::optional<Interval> interval;
};

/// The noise of one core in all launches.
struct CoreRow {
  CoreKey key;
  std::vector<const CoreNoise*> launches;
  CoreFigure stolen;
  CoreFigure rate;
};

CoreKey key_of(const Record& record, const CoreNoise& noise) {
  CoreKey key{.setting = record.campaign ? record.campaign->setting : ""};
  const auto place = std::ranges::find(record.ranks, noise.rank, &RankPlace::rank);
  if (place == record.ranks.end()) return key;
  key.host = place->host;
  const auto has_this = [&](const RankPlace& other) {
    return other.host == place->host && other.actual_cpus == place->actual_cpus;
  };
  const bool is_alone = std::ranges::count_if(record.ranks, has_this) == 1;
  if (place->actual_cpus.size() == 1) key.cpus = "CPU " + std::to_string(place->actual_cpus[0]);
  if (!is_alone || key.cpus.empty()) key.cpus += " rank " + std::to_string(noise.rank);
  return key;
}

/// Of one launch: the median over its parts. Of several: the median over the launches' medians.
CoreFigure figure_of(const CoreRow& row, std::vector<double> CoreNoise::*parts, double level) {
  if (row.launches.size() == 1) {
    const std::vector<double>& values = row.launches.front()->*parts;
    return {median(values), quantile_interval(values, 0.5, level)};
  }
  std::vector<double> medians;
  for (const CoreNoise* launch : row.launches) {
    if (const auto middle = median(launch->*parts)) medians.push_back(*middle);
  }
  return {median(medians), quantile_interval(medians, 0.5, level)};
}

std::vector<CoreRow> core_rows(std::span<const Record> records, double level) {
  std::map<CoreKey, CoreRow> cores;
  for (const Record& record : records) {
    for (const CoreNoise& noise : record.noise) {
      CoreRow& row = cores[key_of(record, noise)];
      row.key = key_of(record, noise);
      row.launches.push_back(&noise);
    }
  }
  std::vector<CoreRow> rows;
  for (auto& [key, row] : cores) {
    row.stolen = figure_of(row, &CoreNoise::stolen, level);
    row.rate = figure_of(row, &CoreNoise::interruptions_per_second, level);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const CoreRow& a, const CoreRow& b) {
    if (a.key.setting != b.key.setting) return a.key.setting < b.key.setting;
    return a.stolen.value > b.stolen.value;
  });
  return rows;
}

/// Median over launches of the usual interruption's duration; nullopt without interruptions.
std::optional<double> usual_seconds(const CoreRow& row) {
  std::vector<double> all;
  for (const CoreNoise* launch : row.launches) {
    if (launch->median_seconds) all.push_back(*launch->median_seconds);
  }
  return median(all);
}

std::optional<double> longest_of(const CoreRow& row) {
  std::optional<double> longest;
  for (const CoreNoise* launch : row.launches) longest = std::max(longest, launch->longest_seconds);
  return longest;
}

constexpr double milliseconds = 1e3;  // in a second

/// Whether two periods are equal within 1 %.
bool is_same_period(double a, double b) {
  constexpr double tolerance = 0.01;
  return std::abs(a - b) <= tolerance * b;
}

/// The shares of a period in the launches with that period.
std::vector<double> shares_of(const CoreRow& row, double period_seconds) {
  std::vector<double> shares;
  for (const CoreNoise* launch : row.launches) {
    if (!launch->periods) continue;
    const auto found = std::ranges::find_if(*launch->periods, [&](const NoisePeriod& period) {
      return is_same_period(period.period_seconds, period_seconds);
    });
    if (found != launch->periods->end()) shares.push_back(found->share);
  }
  return shares;
}

/// The periods found in most of the launches that allow a search: "4.00 (61 %), 10.0 (24 %)",
/// "none"; "-" if no launch allows one.
std::string periods_text(const CoreRow& row) {
  std::vector<double> known;
  std::string text;
  const auto tell = static_cast<std::size_t>(std::ranges::count_if(
      row.launches, [](const CoreNoise* launch) { return launch->periods.has_value(); }));
  for (const CoreNoise* launch : row.launches) {
    for (const NoisePeriod& period : launch->periods.value_or(std::vector<NoisePeriod>())) {
      const auto is_known = [&](double one) { return is_same_period(one, period.period_seconds); };
      const std::vector<double> shares = shares_of(row, period.period_seconds);
      if (std::ranges::any_of(known, is_known) || 2 * shares.size() <= tell) continue;
      known.push_back(period.period_seconds);
      text += (text.empty() ? "" : ", ") + significant(milliseconds * period.period_seconds, 3) +
              " (" + fixed_text(per_cent * median_of_some(shares), 0) + " %)";
    }
  }
  if (tell == 0) return "-";
  return text.empty() ? "none" : text;
}

std::string core_name(const CoreRow& row) { return inert(row.key.host + " " + row.key.cpus); }

std::string stolen_text(const CoreFigure& stolen) {
  std::string text = significant(stolen.value, per_cent, 3) + " %";
  if (stolen.interval) text += " (" + interval_text(stolen.interval, per_cent, 3) + ")";
  return text;
}

void print_answer(std::ostream& out, std::span<const CoreRow> rows) {
  std::vector<double> all;
  for (const CoreRow& row : rows) {
    if (row.stolen.value) all.push_back(*row.stolen.value);
  }
  out << "# noise" << (rows[0].key.setting.empty() ? "" : ", setting " + inert(rows[0].key.setting))
      << ": fixed work takes " << stolen_text(rows[0].stolen) << " longer than undisturbed on "
      << core_name(rows[0]);
  if (rows.size() > 1) {
    out << ", " << significant(median(all), per_cent, 3) << " % on the core in the middle of "
        << rows.size();
  }
  out << '\n';
}

constexpr int core_width = 24;
constexpr int noise_interval_width = 18;

ItemColumns<CoreRow> noise_columns() {
  using Core = CoreRow;
  return {{{"core", core_width, Align::left}, core_name},
          {{"stolen[%]", count_width},
           [](const Core& row) { return significant(row.stolen.value, per_cent, 3); }},
          {{"interval", noise_interval_width},
           [](const Core& row) { return interval_text(row.stolen.interval, per_cent, 3); }},
          {{"rate[1/s]", count_width},
           [](const Core& row) { return significant(row.rate.value, 1, 3); }},
          {{"interval", noise_interval_width},
           [](const Core& row) { return interval_text(row.rate.interval, 1, 3); }},
          {{"usual[us]", count_width},
           [](const Core& row) { return significant(usual_seconds(row), microseconds, 3); }},
          {{"longest[us]", time_width},
           [](const Core& row) { return significant(longest_of(row), microseconds, 3); }},
          {{"launches", count_width},
           [](const Core& row) { return std::to_string(row.launches.size()); }},
          {{"periods[ms]", 0, Align::left}, [](const Core& row) { return periods_text(row); }}};
}

void print_cores(std::ostream& out, std::span<const CoreRow> rows) {
  constexpr std::size_t most = 10;
  print_answer(out, rows);
  const ItemColumns<CoreRow> columns = noise_columns();
  Table table = table_of(columns);
  table.comment_texts();
  table.header();
  const std::size_t shown = std::min(rows.size(), most);
  for (const CoreRow& row : rows.first(shown)) table.row(cells_of(columns, row));
  out << table;
  if (shown < rows.size()) {
    out << "# " << count_text(rows.size() - shown, "quieter core") << ": in the record\n";
  }
  const bool is_one = rows[0].launches.size() == 1;
  out << "# stolen: time of fixed work over that of its shortest piece - 1; rate: interruptions in "
         "a second; median and interval over "
      << (is_one ? "the tenths of the recording" : "launches")
      << "\n# periods: of interruptions, with the share of them that keeps to it; '-': fewer than "
      << fewest_interruptions << " to tell one from\n\n";
}

}  // namespace

void print_noise_tables(std::ostream& out, std::span<const Record> records, double level) {
  const std::vector<CoreRow> rows = core_rows(records, level);
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const CoreRow& row) {
      return row.key.setting != first->key.setting;
    });
    print_cores(out, {first, last});
    first = last;
  }
}

namespace {

using verdicts::Cause;
using verdicts::CauseShare;
using verdicts::VarianceSplit;

/// "61 % (40 .. 80)".
std::string share_text(const CauseShare& share) {
  const std::string percent = fixed_text(per_cent * share.share, 0);
  if (!share.interval) return percent;
  return percent + " (" + fixed_text(per_cent * share.interval->low, 0) + " .. " +
         fixed_text(per_cent * share.interval->high, 0) + ")";
}

std::string name_of(const VarianceSplit& split) {
  return inert(curve_name(split.point)) +
         (split.setting.empty() ? "" : " setting=" + inert(split.setting));
}

void print_answer(std::ostream& out, std::span<const VarianceSplit> splits) {
  std::map<Cause, std::size_t> largest;
  for (const VarianceSplit& split : splits) {
    ++largest[std::ranges::max_element(split.shares, {}, &CauseShare::share)->cause];
  }
  out << "the largest part of the spread:";
  std::string separator = " ";
  for (const auto& [cause, points] : largest) {
    out << separator << word(cause) << " at " << count_text(points, "point");
    separator = ", ";
  }
  out << '\n';
}

/// Reason why a cause is not separated.
std::string_view reason_of(Cause cause) {
  switch (cause) {
    case Cause::repetition:
      return "one sample a block";
    case Cause::block:
      return "one block a launch";
    case Cause::launch:
      return "one launch";
    case Cause::place:
      return "one pair, or each in launches of its own";
    case Cause::job:
      return "one job (SLURM_JOB_ID), or one launch of each";
    case Cause::day:
      return "one day, or one launch or job on each";
  }
  return "";
}

}  // namespace

void print_variability(std::ostream& out, std::span<const VarianceSplit> splits) {
  if (splits.empty()) {
    out << "no spread to split: no point has several samples in complete launches\n";
    return;
  }
  print_answer(out, splits);
  std::vector<TableColumn> columns{
      bytes_column, {"launches", count_width}, {"spread[%]", count_width}};
  for (const std::string_view cause : enum_words<Cause>) {
    columns.push_back({std::string(cause) + "[%]", 0});
  }
  Table table(columns);
  table.comment_texts();
  std::set<Cause> untold;
  std::string curve;
  for (const VarianceSplit& split : splits) {
    if (name_of(split) != curve) {
      curve = name_of(split);
      table.text("");
      table.text(curve);
      table.header();
    }
    std::vector<std::string> cells{std::to_string(split.point.bytes.value),
                                   std::to_string(split.launches),
                                   significant(per_cent * split.spread, 2)};
    for (std::size_t i = 0; i < enum_words<Cause>.size(); ++i) {
      const auto found = std::ranges::find(split.shares, static_cast<Cause>(i), &CauseShare::cause);
      cells.push_back(found == split.shares.end() ? "-" : share_text(*found));
    }
    table.row(std::move(cells));
    untold.insert(split.untold.begin(), split.untold.end());
  }
  out << table
      << "\n# spread: standard deviation of one time; its variance split by cause, in "
         "brackets the interval at 95 %\n";
  for (const Cause cause : untold) {
    out << "# " << word(cause) << " are not distinguished everywhere: " << reason_of(cause) << '\n';
  }
}

}  // namespace hockney::report
