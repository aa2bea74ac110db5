#include "report/record_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/kernel_tables.hpp"
#include "report/library_tables.hpp"
#include "report/row_columns.hpp"
#include "report/rows.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// Explanations below the tables.
namespace words {

constexpr std::string_view suite_ratio =
    "ratio: of the times of one launch, median over launches; docs/reference/osu-and-imb.md says "
    "what each suite times";
constexpr std::string_view floor =
    "x floor: time over that of the floor of its path, memcpy of shm and vm-read of cma; below 1 "
    "the library copies faster than that plain loop (docs/how-to/paths-and-eager-limits.md)";
constexpr std::string_view overlap =
    "overlap: 1 - (both - work) / pure in one launch, median over launches; 1 all hidden, 0 none, "
    "below 0 slower than one after the other";
constexpr std::string_view factor = "factor: {} in the same launch, median over launches";
constexpr std::string_view noise = "noise{}: fixed work takes {} longer than undisturbed on {}{}";
constexpr std::string_view middle_core = ", {} % on the core in the middle of {}";
constexpr std::string_view quieter = "{}: in the record";
constexpr std::string_view stolen =
    "stolen: time of fixed work over that of its shortest piece - 1; rate: interruptions in a "
    "second; median and interval over {}";
constexpr std::string_view periods =
    "periods: of interruptions, with the share of them that keeps to it; '-': fewer than {} to "
    "tell one from";

}  // namespace words

/// The value of one suite's times; unknown in rows without one.
std::function<Value(const TimingRow&)> of_suite(const std::string& suite,
                                                std::function<Value(const SuiteTime&)> value) {
  return [suite, value = std::move(value)](const TimingRow& row) {
    const auto time = std::ranges::find(row.suites, suite, &SuiteTime::suite);
    return time == row.suites.end() ? Value() : value(*time);
  };
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

Columns<TimingRow> timing_columns(std::span<const TimingRow> curve) {
  const Columns<TimingRow> own = row_columns_of(&TimingRow::own);
  Columns<TimingRow> columns = chosen(own, {"bytes", "median_seconds", "spread_seconds"});
  columns[1].heading.title = "hockney";
  std::vector<std::string> suites;  // in order of appearance
  for (const TimingRow& row : curve) {
    for (const SuiteTime& time : row.suites) {
      if (std::ranges::find(suites, time.suite) == suites.end()) suites.push_back(time.suite);
    }
  }
  for (const std::string& suite : suites) {
    const std::string name = escaped(suite);
    columns.push_back(
        {{suite + "_seconds", name, Unit::micros},
         of_suite(suite, [](const SuiteTime& time) { return time.row.median_seconds; })});
    columns.push_back({{suite + "_ratio", name + "/hockney", Unit::number},
                       of_suite(suite, [](const SuiteTime& time) { return time.ratio; })});
    columns.push_back({{suite + "_ratio_ci", "interval", Unit::number, {}, "", true},
                       of_suite(suite, [](const SuiteTime& time) { return time.ratio_interval; })});
  }
  const Column<TimingRow> remark{
      {"remark", ""}, [](const TimingRow& row) { return remark_of(row.own, flags_of(row)); }};
  return joined({columns, chosen(own, {"launches"}), {remark}});
}

void print_timing_table(std::ostream& out, std::span<const TimingRow> curve,
                        const TableStyle& style) {
  View view = make_view(timing_columns(curve), curve);
  view.add_text(std::string(words::suite_ratio));
  std::vector<Row> rows;
  for (const TimingRow& row : curve) {
    rows.push_back(row.own);
    for (const SuiteTime& time : row.suites) rows.push_back(time.row);
  }
  add_notes(view, rows);
  print_view(out, curve_title(curve.front().own), view, style.sizes());
}

Columns<PathRow> path_columns() {
  using Path = PathRow;
  const Columns<Path> mpi = row_columns_of(&Path::mpi);
  return joined<Path>(
      {chosen(mpi, {"bytes", "median_seconds", "spread_seconds", "paths"}),
       {{{"line_seconds", "line", Unit::micros}, &Path::line_seconds},
        {{"memcpy_seconds", "memcpy", Unit::micros}, &Path::memcpy_seconds},
        {{"process_vm_seconds", "vm-read", Unit::micros}, &Path::process_vm_seconds},
        {{"multiple", "x floor", Unit::number}, &Path::multiple},
        interval_column<Path>("multiple_ci", Unit::number,
                              [](const Path& row) { return row.multiple_interval; })},
       chosen(mpi, {"launches", "remark"})});
}

void print_path_table(std::ostream& out, std::span<const PathRow> curve, const TableStyle& style) {
  View view = make_view(path_columns(), curve);
  view.add_text(std::string(words::floor));
  std::vector<Row> rows;
  for (const PathRow& row : curve) rows.push_back(row.mpi);
  add_path_notes(view, rows);
  add_notes(view, rows);
  print_view(out, curve_title(curve.front().mpi), view, style.sizes());
}

Columns<OverlapRow> overlap_columns() {
  using Overlap = OverlapRow;
  return joined<Overlap>(
      {chosen(row_columns_of(&Overlap::both), {"bytes"}),
       {{{"tests", "tests"}, &Overlap::tests},
        {{"pure_seconds", "pure", Unit::micros}, &Overlap::pure_seconds},
        {{"work_seconds", "work", Unit::micros}, &Overlap::work_seconds},
        {{"both_seconds", "both", Unit::micros},
         [](const Overlap& row) { return row.both.median_seconds; }},
        {{"overlap", "overlap", Unit::number}, &Overlap::overlap},
        interval_column<Overlap>("overlap_ci", Unit::number,
                                 [](const Overlap& row) { return row.interval; }),
        {{"launches", "launches", Unit::count},
         [](const Overlap& row) { return row.overlaps.size(); }}}});
}

void print_overlap_table(std::ostream& out, std::span<const OverlapRow> curve,
                         const TableStyle& style) {
  View view = make_view(overlap_columns(), curve);
  view.add_text(std::string(words::overlap));
  print_view(out, curve_title(curve.front().both) + " beside work", view, style.sizes());
}

/// Words that describe a disturbance in a table.
struct DisturbanceWords {
  Disturbance disturbance;
  const char* title = "";  ///< after the name of the curve
  const char* alone = "";  ///< header of the undisturbed time
  const char* met = "";
  const char* factor = "";  ///< name of the ratio
};

constexpr std::array disturbance_words{
    DisturbanceWords{met_flows, " under contention", "alone", "met",
                     "time with that many flows over the time of one"},
    DisturbanceWords{busy_neighbours, " beside neighbours", "idle", "beside",
                     "time beside neighbours at work over that beside idle ones"},
    DisturbanceWords{other_pages, " on other pages", "same", "other",
                     "time on other pages over that on the same"}};

bool is_measured(const DisturbedRow& row) { return row.met.median_seconds.has_value(); }

Columns<DisturbedRow> disturbance_columns(const DisturbanceWords& words) {
  using Met = DisturbedRow;
  return joined<Met>({chosen(row_columns_of(&Met::met), {"bytes"}),
                      {{{"value", words.disturbance.parameter}, &Met::value},
                       {{"alone_seconds", words.alone, Unit::micros}, &Met::alone_seconds},
                       {{"met_seconds", words.met, Unit::micros},
                        [](const Met& row) { return row.met.median_seconds; }},
                       {{"factor", "factor", Unit::number}, &Met::factor},
                       interval_column<Met>("factor_ci", Unit::number,
                                            [](const Met& row) { return row.interval; }),
                       {{"launches", "launches", Unit::count},
                        [](const Met& row) { return row.factors.size(); }}}});
}

void print_disturbance_table(std::ostream& out, std::span<const DisturbedRow> curve,
                             const DisturbanceWords& disturbance, const TableStyle& style) {
  View view = make_view(disturbance_columns(disturbance), curve);
  view.add_text(fmt::format(words::factor, disturbance.factor));
  print_view(out, curve_title(curve.front().met) + disturbance.title, view, style.sizes());
}

/// Prints the memory kinds of buffers outside host memory: each line once over all launches.
void print_buffers(std::ostream& out, std::span<const Record> records) {
  std::set<std::string> lines;
  for (const Record& record : records) {
    for (const BufferMemoryUse& use : record.buffers) {
      lines.insert(escaped(fmt::format("# memory: {}{}: {}{}", use.memory,
                                       use.is_proven ? "" : " differs", use.evidence,
                                       use.gpu_aware ? "; GPU-aware: " + *use.gpu_aware : "")));
    }
  }
  for (const std::string& line : lines) out << line << '\n';
}

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
  const auto informative = static_cast<std::size_t>(std::ranges::count_if(
      row.launches, [](const CoreNoise* launch) { return launch->periods.has_value(); }));
  for (const CoreNoise* launch : row.launches) {
    for (const NoisePeriod& period : launch->periods.value_or(std::vector<NoisePeriod>())) {
      const auto is_known = [&](double one) { return is_same_period(one, period.period_seconds); };
      const std::vector<double> shares = shares_of(row, period.period_seconds);
      if (std::ranges::any_of(known, is_known) || 2 * shares.size() <= informative) continue;
      known.push_back(period.period_seconds);
      text += fmt::format("{}{} ({} %)", text.empty() ? "" : ", ",
                          significant(milliseconds * period.period_seconds, 3),
                          fixed_text(per_cent * median_of_some(shares), 0));
    }
  }
  if (informative == 0) return "-";
  return text.empty() ? "none" : text;
}

std::string core_name(const CoreRow& row) { return escaped(row.key.host + " " + row.key.cpus); }

std::string stolen_text(const CoreFigure& stolen) {
  std::string text = significant(stolen.value, per_cent, 3) + " %";
  if (stolen.interval) text += " (" + interval_text(stolen.interval, per_cent, 3) + ")";
  return text;
}

/// The noisiest core, and the one in the middle.
std::string noise_answer(std::span<const CoreRow> rows) {
  std::vector<double> all;
  for (const CoreRow& row : rows) {
    if (row.stolen.value) all.push_back(*row.stolen.value);
  }
  const std::string& setting = rows[0].key.setting;
  return fmt::format(
      words::noise, setting.empty() ? "" : ", setting " + escaped(setting),
      stolen_text(rows[0].stolen), core_name(rows[0]),
      rows.size() > 1
          ? fmt::format(words::middle_core, significant(median(all), per_cent, 3), rows.size())
          : "");
}

Columns<CoreRow> noise_columns() {
  using Core = CoreRow;
  return {
      {{"core", "core"}, core_name},
      {{"stolen", "stolen", Unit::percent},  // of a quiet core far below 0.1 %
       [](const Core& row) {
         return row.stolen.value ? Value(per_cent * *row.stolen.value) : Value();
       }},
      interval_column<Core>("stolen_ci", Unit::share,
                            [](const Core& row) { return row.stolen.interval; }),
      {{"rate", "rate[1/s]", Unit::number}, [](const Core& row) { return row.rate.value; }},
      interval_column<Core>("rate_ci", Unit::number,
                            [](const Core& row) { return row.rate.interval; }),
      {{"usual_seconds", "usual", Unit::micros}, usual_seconds},
      {{"longest_seconds", "longest", Unit::micros}, longest_of},
      {{"launches", "launches", Unit::count}, [](const Core& row) { return row.launches.size(); }},
      {{"periods", "periods[ms]"}, periods_text}};
}

void print_cores(std::ostream& out, std::span<const CoreRow> rows) {
  constexpr std::size_t most = 10;
  const std::size_t shown = std::min(rows.size(), most);
  View view = make_view(noise_columns(), rows.first(shown));
  if (shown < rows.size()) {
    view.add_text(fmt::format(words::quieter, count_text(rows.size() - shown, "quieter core")));
  }
  const bool is_one = rows[0].launches.size() == 1;
  view.add_text(fmt::format(words::stolen, is_one ? "the tenths of the recording" : "launches"));
  view.add_text(fmt::format(words::periods, fewest_interruptions));
  print_view(out, noise_answer(rows), view);
}

Columns<CoreRow> noise_list_columns() {
  using Core = CoreRow;
  return joined<Core>(
      {{{{"setting", ""}, [](const Core& row) { return row.key.setting; }},
        {{"host", ""}, [](const Core& row) { return row.key.host; }},
        {{"cpus", ""}, [](const Core& row) { return row.key.cpus; }},
        {{"stolen_share", ""}, [](const Core& row) { return row.stolen.value; }},
        interval_column<Core>("stolen_share_ci", Unit::share,
                              [](const Core& row) { return row.stolen.interval; }),
        {{"interruptions_per_second", ""}, [](const Core& row) { return row.rate.value; }}},
       chosen(noise_columns(), {"usual_seconds", "longest_seconds", "launches"})});
}

/// What says which point a row of a list is about.
template <class Item>
Columns<Item> place_columns(Row Item::*part) {
  return chosen(row_columns_of(part),
                {"operation", "setting", "ranks", "hop", "path", "pair", "parameters"});
}

nlohmann::json disturbances_list(const std::vector<Row>& rows, double level) {
  nlohmann::json list = nlohmann::json::array();
  for (const DisturbanceWords& words : disturbance_words) {
    const auto columns = joined<DisturbedRow>(
        {place_columns(&DisturbedRow::met),
         {{{"disturbance", ""},
           [&](const DisturbedRow& /*row*/) { return Value(words.disturbance.parameter); }}},
         disturbance_columns(words)});
    for (const DisturbedRow& row : disturbed_rows(rows, words.disturbance, level)) {
      if (is_measured(row)) list.push_back(json_of(columns, row));
    }
  }
  return list;
}

struct SuiteCase {
  Row own;
  SuiteTime time;
};

nlohmann::json suites_list(const TimedRows& timed) {
  std::vector<SuiteCase> cases;
  for (const TimingRow& row : timed.compared) {
    for (const SuiteTime& time : row.suites) cases.push_back({row.own, time});
  }
  using Case = SuiteCase;
  const auto columns = joined<Case>(
      {place_columns(&Case::own),
       chosen(row_columns_of(&Case::own), {"bytes", "median_seconds"}),
       {{{"suite", ""}, [](const Case& one) { return one.time.suite; }},
        {{"suite_seconds", ""}, [](const Case& one) { return one.time.row.median_seconds; }},
        {{"ratio", ""}, [](const Case& one) { return one.time.ratio; }},
        interval_column<Case>("ratio_ci", Unit::number,
                              [](const Case& one) { return one.time.ratio_interval; })}});
  return to_json(make_view(columns, cases));
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

void print_record_tables(std::ostream& out, std::vector<Row> rows, std::span<const Record> records,
                         const TableStyle& style) {
  const std::vector<KernelPoint> kernels = kernel_points(rows, records, style.level);
  std::erase_if(rows, [](const Row& row) { return is_of_kernel(row.point); });
  print_noise_tables(out, records, style.level);
  print_kernel_tables(out, kernels);
  const TimedRows timed = timed_rows(rows, style.level);
  const PathRows paths = path_rows(timed.alone, style.level);
  print_latency_tables(out, paths.alone, style);
  print_overlap_tables(out, rows, style);
  for (const DisturbanceWords& words : disturbance_words) {
    for_each_curve(disturbed_rows(rows, words.disturbance, style.level), &DisturbedRow::met,
                   [&](std::span<const DisturbedRow> curve) {
                     if (std::ranges::none_of(curve, is_measured)) return;
                     print_disturbance_table(out, curve, words, style);
                   });
  }
  for_each_curve(paths.compared, &PathRow::mpi,
                 [&](std::span<const PathRow> curve) { print_path_table(out, curve, style); });
  for_each_curve(timed.compared, &TimingRow::own,
                 [&](std::span<const TimingRow> curve) { print_timing_table(out, curve, style); });
  print_machine_tables(out, records);
}

nlohmann::json result_lists(std::vector<Row> rows, std::span<const Record> records, double level) {
  const std::vector<KernelPoint> kernels = kernel_points(rows, records, level);
  std::erase_if(rows, [](const Row& row) { return is_of_kernel(row.point); });
  const TimedRows timed = timed_rows(rows, level);
  const auto floors = joined<PathRow>({place_columns(&PathRow::mpi), path_columns()});
  const auto overlaps = joined<OverlapRow>({place_columns(&OverlapRow::both), overlap_columns()});
  return {{"floors", to_json(make_view(floors, path_rows(timed.alone, level).compared))},
          {"overlaps", to_json(make_view(overlaps, overlap_rows(rows, level)))},
          {"disturbances", disturbances_list(rows, level)},
          {"suites", suites_list(timed)},
          {"noise", to_json(make_view(noise_list_columns(), core_rows(records, level)))},
          {"kernels", kernels_list(kernels)}};
}

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

}  // namespace hockney::report
