#include "report/curve_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences below the tables.
namespace words {

constexpr std::string_view warm_up =
    "warm-up: {} of {} blocks do not count (the first of a launch, slower than the rest)";
constexpr std::string_view disturbed =
    "disturbed: {} of {} blocks do not count (a noise probe without MPI ran slower beside them)";
constexpr std::string_view windows = "messages at once: {} (--window)";
constexpr std::string_view outliers =
    "outliers: {} % of the samples lie beyond Q3 + 3 IQR; they count";
constexpr std::string_view page_faults =
    "page faults: in every call at {} of {} points, {} at {}; the allocator decides "
    "(docs/explanation/how-hockney-measures.md)";
constexpr std::string_view checks = "data: {} {} checked, fewest at {}: {}, enough to meet {}";
constexpr std::string_view interval = "interval: of the median over launches, {} % confidence";
constexpr std::string_view no_interval = "interval: range of the launches; {} give one of 95 %";
constexpr std::string_view without_launches =
    "no interval: it comes from launches, and needs {} of them";
constexpr std::string_view paths = "paths: at {} not all launches have one";
constexpr std::string_view unproven = "unproven: from {} ({})";

}  // namespace words

template <class Number>
Number total(std::span<const Row> rows, Number Row::*member) {
  Number sum{};
  for (const Row& row : rows) sum += row.*member;
  return sum;
}

/// How many blocks did not count: warm-up, and disturbance by other users of the CPUs.
void add_lost_blocks(View& view, std::span<const Row> rows) {
  const int blocks = total(rows, &Row::blocks);
  const int warm_up = total(rows, &Row::warm_up_blocks);
  const int disturbed = blocks - warm_up - total(rows, &Row::undisturbed_blocks);
  if (warm_up > 0) view.add_text(fmt::format(words::warm_up, warm_up, blocks));
  if (disturbed > 0) view.add_text(fmt::format(words::disturbed, disturbed, blocks));
}

/// The windows of a curve, where they follow from its sizes.
void add_windows(View& view, std::span<const Row> rows) {
  const auto is_windowed = [](const Row& row) { return is_automatic(row.point, window_parameter); };
  if (rows.empty() || !std::ranges::all_of(rows, is_windowed)) return;
  const auto text = [](const Row& row) {
    return fmt::format("{} at {}", default_window(row.point.bytes), format_bytes(row.point.bytes));
  };
  std::string windows = text(rows.front());
  if (rows.size() > 1) windows += ", " + text(rows.back());
  view.add_text(fmt::format(words::windows, windows));
}

void add_outliers(View& view, std::span<const Row> rows) {
  const int outliers = total(rows, &Row::outliers);
  if (outliers == 0) return;
  const auto samples = static_cast<double>(total(rows, &Row::samples));
  view.add_text(fmt::format(words::outliers, significant(per_cent * outliers / samples, 2)));
}

/// Page faults of one call; 0 if the point requests fresh memory or other pages.
double page_faults_of(const Row& row) {
  const auto value = [&](const char* parameter) {
    const auto found = row.point.parameters.find(parameter);
    return found == row.point.parameters.end() ? "" : found->second;
  };
  const bool is_requested =
      value("cache") == "fresh" || value("pages") == "moved" || value("pages") == "fresh";
  return is_requested ? 0 : row.page_faults.value_or(0);
}

void add_page_faults(View& view, std::span<const Row> rows) {
  const auto count =
      std::ranges::count_if(rows, [](const Row& row) { return page_faults_of(row) >= 1; });
  if (count == 0) return;
  const Row& worst = *std::ranges::max_element(rows, {}, page_faults_of);
  view.add_text(fmt::format(words::page_faults, count, rows.size(),
                            significant(page_faults_of(worst), 2),
                            format_bytes(worst.point.bytes)));
}

/// The detection limit of the checks. A fault that hits each delivery with probability 1/n is
/// missed in at most 5 % of the tables.
void add_checks(View& view, std::span<const Row> rows) {
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
  view.add_text(fmt::format(
      words::checks, checked, checked == 1 ? "delivery" : "deliveries",
      format_bytes(fewest->point.bytes), fewest->deliveries_checked,
      seldom > 1 ? fmt::format("1 wrong in {} with 95 %", seldom) : "what is wrong every time"));
}

void add_interval(View& view, std::span<const Row> rows) {
  for (const Row& row : rows) {
    if (!row.interval_seconds) continue;
    const double level = per_cent * row.interval_seconds->level;
    return view.add_text(fmt::format(words::interval, significant(level, 3)));
  }
  const bool has_range =
      std::ranges::any_of(rows, [](const Row& row) { return row.spread_seconds().has_value(); });
  view.add_text(has_range ? fmt::format(words::no_interval, samples_for_interval())
                          : fmt::format(words::without_launches, samples_for_interval()));
}

Columns<Row> latency_columns(bool tails) {
  const Columns<Row> all = row_columns();
  const Columns<Row> quantiles =
      tails ? chosen(all, {"p90_seconds", "p99_seconds", "p999_seconds"}) : Columns<Row>();
  return joined(
      {chosen(all, {"bytes", "median_seconds", "spread_seconds", "half_width",
                    "bandwidth_bytes_per_second", "bus_bandwidth_bytes_per_second", "launches",
                    "paths", "skew_share", "shortest_local_seconds", "longest_local_seconds"}),
       quantiles, chosen(all, {"remark"})});
}

std::string_view begin_of(Fault fault) {
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
  return escaped(fmt::format("{} at {}, in {} of {}: {}{}{}; left out of all figures",
                             begin_of(found.fault), count_text(found.points, "point"),
                             found.launches, count_text(found.of_launches, "launch"), found.first,
                             found.points > 1 ? ", ..." : "",
                             found.detail.empty() ? "" : " (" + found.detail + ")"));
}

}  // namespace

void add_notes(View& view, std::span<const Row> rows) {
  add_windows(view, rows);
  add_lost_blocks(view, rows);
  add_outliers(view, rows);
  add_page_faults(view, rows);
  add_checks(view, rows);
  add_interval(view, rows);
}

void add_path_notes(View& view, std::span<const Row> rows) {
  std::set<std::string> said;
  for (const Row& row : rows) {
    const std::string bytes = format_bytes(row.point.bytes);
    if (row.paths.size() > 1) view.add_text(fmt::format(words::paths, bytes));
    const std::string& reason = row.unproven_because;
    if (reason.empty() || !said.insert(reason).second) continue;
    view.add_text(fmt::format(words::unproven, bytes, escaped(reason)));
  }
}

void print_latency_tables(std::ostream& out, const std::vector<Row>& rows,
                          const TableStyle& style) {
  const Columns<Row> columns = latency_columns(style.tails);
  for_each_curve(rows, std::identity(), [&](std::span<const Row> curve) {
    View view = make_view(columns, curve);
    add_path_notes(view, curve);
    add_notes(view, curve);
    print_view(out, curve_title(curve.front()), view, style.sizes());
  });
}

std::vector<std::string> fault_lines(std::span<const FaultFinding> faults) {
  return strings_of(faults, fault_line);
}

void print_faults(std::ostream& out, std::span<const FaultFinding> faults) {
  for (const std::string& line : fault_lines(faults)) out << line << "\n\n";
}

}  // namespace hockney::report
