#include "report/curve_tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {
namespace {

template <class Number>
Number total(std::span<const Row> rows, Number Row::*member) {
  Number sum{};
  for (const Row& row : rows) sum += row.*member;
  return sum;
}

/// Prints how many blocks did not count: warm-up, and disturbance by other users of the CPUs.
void print_lost_blocks(std::ostream& out, std::span<const Row> rows) {
  const int blocks = total(rows, &Row::blocks);
  const int warm_up = total(rows, &Row::warm_up_blocks);
  const int disturbed = blocks - warm_up - total(rows, &Row::undisturbed_blocks);
  if (warm_up > 0) {
    out << "# warm-up: " << warm_up << " of " << blocks
        << " blocks do not count (the first of a launch, slower than the rest)\n";
  }
  if (disturbed > 0) {
    out << "# disturbed: " << disturbed << " of " << blocks
        << " blocks do not count (a noise probe without MPI ran slower beside them)\n";
  }
}

/// The windows of a curve, where they follow from its sizes.
void print_windows(std::ostream& out, std::span<const Row> rows) {
  const auto is_windowed = [](const Row& row) { return is_automatic(row.point, window_parameter); };
  if (rows.empty() || !std::ranges::all_of(rows, is_windowed)) return;
  const auto text = [](const Row& row) {
    return std::to_string(default_window(row.point.bytes)) + " at " + bytes_cell(row);
  };
  out << "# messages at once: " << text(rows.front());
  if (rows.size() > 1) out << ", " << text(rows.back());
  out << " (--window)\n";
}

void print_outliers(std::ostream& out, std::span<const Row> rows) {
  const int outliers = total(rows, &Row::outliers);
  if (outliers == 0) return;
  const auto samples = static_cast<double>(total(rows, &Row::samples));
  out << "# outliers: " << significant(per_cent * outliers / samples, 2)
      << " % of the samples lie beyond Q3 + 3 IQR; they count\n";
}

/// Page faults of one call; 0 if the point requests fresh memory or other pages.
double page_faults_of(const Row& row) {
  const auto value = [&](const char* parameter) {
    const auto found = row.point.parameters.find(parameter);
    return found == row.point.parameters.end() ? "" : found->second;
  };
  const bool is_asked =
      value("cache") == "fresh" || value("pages") == "moved" || value("pages") == "fresh";
  return is_asked ? 0 : row.page_faults.value_or(0);
}

void print_page_faults(std::ostream& out, std::span<const Row> rows) {
  const auto count =
      std::ranges::count_if(rows, [](const Row& row) { return page_faults_of(row) >= 1; });
  if (count == 0) return;
  const Row& worst = *std::ranges::max_element(rows, {}, page_faults_of);
  out << "# page faults: in every call at " << count << " of " << rows.size() << " points, "
      << significant(page_faults_of(worst), 2) << " at " << format_bytes(worst.point.bytes)
      << "; the allocator decides (docs/explanation/how-hockney-measures.md)\n";
}

/// Prints the detection limit of the checks. A fault that hits each delivery with probability 1/n
/// is missed in at most 5 % of the tables.
void print_checks(std::ostream& out, std::span<const Row> rows) {
  constexpr double unseen = 0.05;
  const Row* fewest = nullptr;
  for (const Row& row : rows) {
    if (row.deliveries_checked == 0) continue;
    if (fewest == nullptr || row.deliveries_checked < fewest->deliveries_checked) fewest = &row;
  }
  if (fewest == nullptr) return;
  const auto deliveries = static_cast<double>(fewest->deliveries_checked);
  const auto seldom =
      whole_number<std::int64_t>(std::floor(1 / (1 - std::pow(unseen, 1 / deliveries))));
  const std::int64_t checked = total(rows, &Row::deliveries_checked);
  out << "# data: " << checked << (checked == 1 ? " delivery" : " deliveries")
      << " checked, fewest at " << format_bytes(fewest->point.bytes) << ": "
      << fewest->deliveries_checked << ", enough to meet "
      << (seldom > 1 ? "1 wrong in " + std::to_string(seldom) + " with 95 %"
                     : "what is wrong every time")
      << '\n';
}

void print_interval(std::ostream& out, std::span<const Row> rows) {
  for (const Row& row : rows) {
    if (!row.interval_seconds) continue;
    out << "# interval: of the median over launches, "
        << significant(per_cent * row.interval_seconds->level, 3) << " % confidence\n\n";
    return;
  }
  out << "# no interval: it comes from launches, and needs " << samples_for_interval()
      << " of them\n\n";
}

}  // namespace

void print_notes(std::ostream& out, std::span<const Row> rows) {
  print_windows(out, rows);
  print_lost_blocks(out, rows);
  print_outliers(out, rows);
  print_page_faults(out, rows);
  print_checks(out, rows);
  print_interval(out, rows);
}

void print_path_notes(std::ostream& out, std::span<const Row> rows) {
  std::set<std::string> said;
  for (const Row& row : rows) {
    if (row.paths.size() > 1) {
      out << "# paths: at " << bytes_cell(row) << " not all launches have one\n";
    }
    const std::string& reason = row.unproven_because;
    if (reason.empty() || !said.insert(reason).second) continue;
    out << "# unproven: from " << bytes_cell(row) << " (" << inert(reason) << ")\n";
  }
}

std::string bytes_cell(const Row& row) { return format_bytes(row.point.bytes); }

std::string time_cell(const Row& row) { return microseconds_text(row.median_seconds); }

std::string interval_cell(const Row& row) {
  return interval_text(row.interval_seconds, microseconds);
}

std::string launches_cell(const Row& row) { return std::to_string(row.launches.size()); }

std::string path_cell(const Row& row) {
  return row.paths.empty() ? "-" : inert(join(row.paths, "|"));
}

std::string flags_remark(const std::vector<std::string>& flags) { return inert(join(flags, " ")); }

void add_unmeasured(Table& table, const Row& row) {
  table.row({bytes_cell(row)}, "not measured (" + inert(row.reason) + ")");
}

namespace {

constexpr double megabyte = 1e6;  // bytes, as OMB and IMB count them
constexpr int wide_width = 14;
constexpr int rate_width = 12;

/// Whether transport counters were read during the row's launches.
bool was_proving(const Row& row) { return !row.paths.empty() || !row.unproven_because.empty(); }

/// A part of the row's time in per cent; "-" if either is unknown.
std::string part_cell(const Row& row, const std::optional<double>& seconds) {
  if (!seconds || !row.median_seconds || *row.median_seconds <= 0) return "-";
  return significant(per_cent * *seconds / *row.median_seconds, 2);
}

std::string half_width_cell(const Row& row) {
  const auto& interval = row.interval_seconds;
  return part_cell(row,
                   interval ? std::optional((interval->high - interval->low) / 2) : std::nullopt);
}

std::string rate_text(const std::optional<BytesPerSecond>& bandwidth) {
  return bandwidth ? significant(bandwidth->value / megabyte) : "-";
}

/// A column of times [us].
ItemColumn<Row> time_column(const std::string& header, int width,
                            std::optional<double> Row::*seconds) {
  return {{header, width}, [seconds](const Row& row) { return microseconds_text(row.*seconds); }};
}

ItemColumn<Row> tail_column(const std::string& header, std::optional<double> TailQuantiles::*tail) {
  return {{header, time_width},
          [tail](const Row& row) { return microseconds_text(row.tails.*tail); }};
}

ItemColumns<Row> latency_columns(std::span<const Row> curve, bool tails) {
  const auto any = [&](auto has) { return std::ranges::any_of(curve, has); };
  ItemColumns<Row> columns{
      {bytes_column, bytes_cell},
      {{"time[us]", time_width}, time_cell},
      {{"interval[us]", interval_width}, interval_cell},
      {{"+-%", share_width}, half_width_cell},
      {{"MB/s", rate_width}, [](const Row& row) { return rate_text(row.bandwidth()); }}};
  if (any([](const Row& row) { return row.bus_bytes_per_sample.value_or(0) > 0; })) {
    columns.push_back(
        {{"bus-MB/s", rate_width}, [](const Row& row) { return rate_text(row.bus_bandwidth()); }});
  }
  columns.push_back({{"launches", count_width}, launches_cell});
  if (any(was_proving)) columns.push_back({{"path", path_width}, path_cell});
  if (any([](const Row& row) { return row.skew_seconds.has_value(); })) {
    columns.push_back(
        {{"skew-%", share_width}, [](const Row& row) { return part_cell(row, row.skew_seconds); }});
  }
  if (any([](const Row& row) { return row.shortest_local_seconds.has_value(); })) {
    columns.push_back(time_column("shortest[us]", wide_width, &Row::shortest_local_seconds));
    columns.push_back(time_column("longest[us]", wide_width, &Row::longest_local_seconds));
  }
  if (tails) {
    columns.push_back(tail_column("p90[us]", &TailQuantiles::p90_seconds));
    columns.push_back(tail_column("p99[us]", &TailQuantiles::p99_seconds));
    columns.push_back(tail_column("p99.9[us]", &TailQuantiles::p999_seconds));
  }
  return columns;
}

}  // namespace

Table rows_table(Table table, const TableStyle& style) {
  table.comment_texts();
  if (style.in_bytes) table.spell_out_sizes();
  return table;
}

void print_latency_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style) {
  for_each_curve(rows, std::identity(), [&](std::span<const Row> curve) {
    const ItemColumns<Row> columns = latency_columns(curve, style.tails);
    Table table = rows_table(table_of(columns), style);
    table.text(curve_title(curve.front()));
    table.header();
    for (const Row& row : curve) {
      if (row.median_seconds) {
        table.row(cells_of(columns, row), flags_remark(row.flags));
      } else {
        add_unmeasured(table, row);
      }
    }
    out << table;
    print_path_notes(out, curve);
    print_notes(out, curve);
  });
}

namespace {

std::string begin_of(Fault fault) {
  switch (fault) {
    case Fault::wrong_data:
      return "WRONG DATA were received";
    case Fault::clocks_drifted:
      return "CLOCKS DRIFTED APART";
    case Fault::library_degraded:
      break;
  }
  return "THE MPI LIBRARY FAILED TO SET UP SHARED MEMORY";
}

std::string fault_line(const FaultFinding& found) {
  std::string line = begin_of(found.fault) + " at " + count_text(found.points, "point") + ", in " +
                     std::to_string(found.launches) + " of " +
                     count_text(found.of_launches, "launch") + ": " + found.first;
  if (found.points > 1) line += ", ...";
  if (!found.detail.empty()) line += " (" + found.detail + ")";
  return inert(line) + "; left out of all figures";
}

}  // namespace

std::vector<std::string> fault_lines(std::span<const FaultFinding> faults) {
  return strings_of(faults, fault_line);
}

void print_faults(std::ostream& out, std::span<const FaultFinding> faults) {
  for (const std::string& line : fault_lines(faults)) out << line << "\n\n";
}

namespace {

/// Compares without the algorithm: it is a result, and may differ between the values of an axis.
bool same_point(Point a, Point b) {
  a.algorithm.reset();
  b.algorithm.reset();
  return a.bytes == b.bytes && curve_name(a) == curve_name(b);
}

AxisBlock& block_of(std::vector<AxisBlock>& blocks, const Point& point) {
  const auto found = std::ranges::find_if(
      blocks, [&](const AxisBlock& block) { return same_point(block.point, point); });
  if (found != blocks.end()) return *found;
  AxisBlock& block = blocks.emplace_back(AxisBlock{.point = point});
  block.point.algorithm.reset();
  return block;
}

void add_ratio(AxisRow& row, const verdicts::CompareSet& set) {
  for (const verdicts::Comparison& comparison : set.comparisons) {
    if (!same_point(comparison.point, row.row.point)) continue;
    row.ratio = comparison.ratio;
    row.ratio_interval = comparison.ratio_interval;
  }
}

std::vector<AxisBlock> blocks_of(const verdicts::AxisGroup& group, const std::string& base) {
  std::vector<AxisBlock> blocks;
  const std::vector<Record>* base_launches = group.find(base);
  for (const auto& [value, launches] : group.values) {
    const bool has_ratio = value != base && base_launches != nullptr;
    const verdicts::CompareSet set =
        has_ratio ? verdicts::compare(*base_launches, launches,
                                      {.correction = verdicts::Correction::none,
                                       .origin = verdicts::Origin::one_campaign})
                  : verdicts::CompareSet();
    for (Row& row : campaign_rows(launches)) {
      AxisBlock& block = block_of(blocks, row.point);
      block.rows.push_back({.value = value, .row = std::move(row)});
      add_ratio(block.rows.back(), set);
    }
  }
  return blocks;
}

}  // namespace

AxisTable by_axis(std::span<const Record> records, const std::string& axis) {
  const verdicts::AxisGroups groups = verdicts::group_by_axis(records, axis);
  AxisTable table{
      .axis = axis, .base = groups.base, .settings_alone = static_cast<int>(groups.alone.size())};
  for (const verdicts::AxisGroup& group : groups.groups) {
    for (AxisBlock& block : blocks_of(group, table.base)) {
      block.others = group.others;
      table.blocks.push_back(std::move(block));
    }
  }
  return table;
}

namespace {

/// Title of a table: the properties common to its blocks.
std::string title_of(const AxisBlock& block) {
  return inert(curve_name(block.point)) + places_text(block.others);
}

/// The algorithm that ran, from verification launches; "!" if it is not the requested one.
std::string ran_text(const Row& row) {
  const auto has = [&](std::string_view flag) {
    return std::ranges::find(row.flags, flag) != row.flags.end();
  };
  if (row.point.algorithm) {
    return inert(*row.point.algorithm) + (has(algorithm_substituted_flag) ? "!" : "");
  }
  if (has(algorithm_substituted_flag)) return "another!";
  return has(algorithm_unproven_flag) ? "?" : "";
}

void add(Table& table, const AxisRow& line) {
  const Row& row = line.row;
  std::vector<std::string> cells{bytes_cell(row), inert(line.value)};
  if (!row.median_seconds) {
    table.row(cells, "not measured (" + inert(row.reason) + ")");
    return;
  }
  std::vector<std::string> remarks;
  if (const std::string ran = ran_text(row); !ran.empty()) remarks.push_back("ran: " + ran);
  if (!row.flags.empty()) remarks.push_back(flags_remark(row.flags));
  cells.insert(cells.end(), {time_cell(row), interval_cell(row), launches_cell(row),
                             significant(line.ratio, 1, ratio_digits),
                             interval_text(line.ratio_interval, 1, ratio_digits)});
  table.row(std::move(cells), join(remarks, "  "));
}

Table lines_of(const AxisTable& axis_table) {
  const std::string axis = inert(axis_table.axis);
  Table table({bytes_column,
               {axis, 0},
               {"time[us]", time_width},
               {"interval[us]", interval_width},
               {"launches", count_width},
               {"ratio", count_width},
               {"interval", interval_width}});
  table.comment_texts();
  std::string title;
  for (const AxisBlock& block : axis_table.blocks) {
    if (title_of(block) != title) {
      title = title_of(block);
      table.text("");
      table.text("by " + axis + ": " + title);
      table.header();
    }
    for (const AxisRow& row : block.rows) add(table, row);
  }
  return table;
}

}  // namespace

void print_axis_table(std::ostream& out, const AxisTable& table) {
  const std::string axis = inert(table.axis);
  if (table.blocks.empty()) {
    out << "\n# by " << axis << ": no two settings with complete launches differ in " << axis
        << " alone\n";
    return;
  }
  out << lines_of(table) << "\n# ratio: to " << inert(table.axis + "=" + table.base)
      << ", paired by launch where both have the same; intervals: over launches, each with 95 % "
         "confidence alone, from "
      << samples_for_interval() << " launches on\n";
  if (table.settings_alone > 0) {
    out << "# left out: " << table.settings_alone << " settings that no other differs from in "
        << axis << " alone\n";
  }
}

}  // namespace hockney::report
