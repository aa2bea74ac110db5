#include "report/record_tables.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/kernel_rows.hpp"
#include "report/kernel_tables.hpp"
#include "report/paired_rows.hpp"
#include "report/protocol_table.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr int suite_time_width = 13;
constexpr int suite_ratio_width = 13;
constexpr int suite_interval_width = 18;

/// What the row's time of a suite says; "-" where it has none.
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
  std::vector<std::string> suites;  // in the order in which they appear
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

/// Of any timing, each once.
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
      << "# ratio: of the times of one launch, median over launches; docs/suites.md says what each "
         "suite times\n";
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
         "below 1 the library copies faster than that plain loop (docs/paths.md)\n";
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

/// How a table speaks of a disturbance.
struct DisturbanceWords {
  Disturbance disturbance;
  const char* title;  ///< after the name of the curve
  const char* alone;  ///< header of the undisturbed time
  const char* met;
  const char* factor;  ///< what it is
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

/// What memory other than that of the host turned out to be: each kind once, whatever the launches.
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

}  // namespace hockney::report
