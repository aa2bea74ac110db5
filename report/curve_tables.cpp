#include "report/curve_tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/whole_number.hpp"

namespace hockney::report {
namespace {

template <class Number>
Number total(std::span<const Row> rows, Number Row::*member) {
  Number sum{};
  for (const Row& row : rows) sum += row.*member;
  return sum;
}

/// Says so when blocks did not count because a launch had not settled, or something else kept the
/// CPUs busy.
void print_lost_blocks(std::ostream& out, std::span<const Row> rows) {
  const int blocks = total(rows, &Row::blocks);
  const int warm_up = total(rows, &Row::warm_up_blocks);
  const int disturbed = blocks - warm_up - total(rows, &Row::undisturbed_blocks);
  if (warm_up > 0) {
    out << "# warm-up: " << warm_up << " of " << blocks
        << " visits do not count (the first of a launch, slower than it settled at)\n";
  }
  if (disturbed > 0) {
    out << "# disturbed: " << disturbed << " of " << blocks
        << " visits do not count (a noise probe without MPI ran slower beside them)\n";
  }
}

void print_outliers(std::ostream& out, std::span<const Row> rows) {
  const int outliers = total(rows, &Row::outliers);
  if (outliers == 0) return;
  const auto samples = static_cast<double>(total(rows, &Row::samples));
  out << "# outliers: " << significant(per_cent * outliers / samples, 2)
      << " % of the samples lie beyond Q3 + 3 IQR; they count\n";
}

/// Of one call, 0 where fresh memory, or other pages, are what was asked for.
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
      << "; the allocator decides (docs/method.md)\n";
}

/// What checking could have found: a fault that hits one delivery in `n`, each by itself, stays
/// unseen in 5 % of the tables at most.
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

/// Whether somebody counted what carried the messages.
bool was_proving(const Row& row) { return !row.paths.empty() || !row.unproven_because.empty(); }

/// A part of the row's time in per cent; "-" where one of them is not known.
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

}  // namespace hockney::report
