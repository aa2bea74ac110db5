#include "report/size_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t most_curves = 3;
constexpr std::size_t fewest_sizes = 3;  // of a curve, however many curves there are

constexpr std::string_view legend =
    "time: median of undisturbed samples; min, mean, max: of all samples";

/// Rows of one curve.
using CurveRows = std::span<const Row>;

std::vector<CurveRows> timed_curves(std::span<const Row> rows) {
  std::vector<CurveRows> curves;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const Row& row) { return same_curve(*first, row); });
    const auto is_timed = [](const Row& row) { return row.median_seconds.has_value(); };
    if (std::any_of(first, last, is_timed)) curves.emplace_back(first, last);
    first = last;
  }
  return curves;
}

/// The places of rows with a time.
std::vector<std::size_t> timed_places(CurveRows curve) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].median_seconds) places.push_back(i);
  }
  return places;
}

/// Every n-th place, counted from the last, and the first one: at most `most`.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& places, std::size_t most) {
  const std::size_t count = places.size();
  std::size_t step = 1;
  while ((count - 1 + step - 1) / step + 1 > most) ++step;
  std::vector<std::size_t> kept;
  for (std::size_t i = count - 1; i > 0; i -= std::min(step, i)) kept.push_back(places[i]);
  kept.push_back(places.front());
  std::ranges::reverse(kept);
  return kept;
}

std::string time_text(const std::optional<double>& seconds) {
  return significant(seconds, microseconds, 3);
}

std::string interval_of(const Row& row) {
  return interval_text(row.spread_seconds(), microseconds, 3);
}

std::string interval_head(CurveRows curve) {
  const auto has_interval = [](const Row& row) { return row.interval_seconds.has_value(); };
  const auto with = std::ranges::count_if(curve, has_interval);
  if (with == 0) return "range";
  const auto timed =
      std::ranges::count_if(curve, [](const Row& row) { return row.median_seconds.has_value(); });
  return with == timed ? "interval" : "interval or range";
}

struct SizeColumn {
  std::string head;
  std::function<std::string(const Row&)> cell;
};

std::vector<SizeColumn> columns_for(CurveRows curve) {
  return {{"size", [](const Row& row) { return format_bytes(row.point.bytes); }},
          {"time[us]", [](const Row& row) { return time_text(row.median_seconds); }},
          {interval_head(curve), interval_of},
          {"min", [](const Row& row) { return time_text(row.min_seconds); }},
          {"mean", [](const Row& row) { return time_text(row.mean_seconds); }},
          {"max", [](const Row& row) { return time_text(row.max_seconds); }},
          {"p99", [](const Row& row) { return time_text(row.tails.p99_seconds); }},
          {"bandwidth", [](const Row& row) {
             const auto rate = row.bandwidth();
             return rate ? short_rate(*rate) : "-";
           }}};
}

/// The cells of a column, its head first, aligned to the right; empty if it has no value.
Lines aligned(const SizeColumn& column, CurveRows curve, const std::vector<std::size_t>& places) {
  Lines cells{column.head};
  for (const std::size_t place : places) cells.push_back(column.cell(curve[place]));
  if (std::all_of(cells.begin() + 1, cells.end(), [](const auto& cell) { return cell == "-"; })) {
    return {};
  }
  const std::size_t width = std::ranges::max(cells, {}, &std::string::size).size();
  for (std::string& cell : cells) cell.insert(0, width - cell.size(), ' ');
  return cells;
}

Lines table_of(CurveRows curve, const std::vector<std::size_t>& places) {
  Lines lines(places.size() + 1);
  for (const SizeColumn& column : columns_for(curve)) {
    const Lines cells = aligned(column, curve, places);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      lines[i] += (lines[i].empty() ? "" : "  ") + cells[i];
    }
  }
  return lines;
}

}  // namespace

Lines size_tables(std::span<const Row> rows, std::size_t most_lines) {
  const std::vector<CurveRows> curves = timed_curves(rows);
  if (curves.empty() || curves.size() > most_curves) return {};
  const std::vector<std::string> labels =
      labels_of(strings_of(curves, [](CurveRows curve) { return curve_title(curve.front()); }));
  const std::size_t heads = curves.size() == 1 ? 1 : 2;  // lines above the sizes of a curve
  constexpr std::size_t below = 2;                       // legend, hidden sizes
  const std::size_t room = (most_lines - std::min(below, most_lines)) / curves.size();
  const std::size_t most = std::max(fewest_sizes, room - std::min(heads, room));
  Lines lines;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves.size() > 1) lines.push_back(labels[i]);
    const std::vector<std::size_t> timed = timed_places(curves[i]);
    const std::vector<std::size_t> places = thinned(timed, most);
    hidden += timed.size() - places.size();
    std::ranges::move(table_of(curves[i], places), std::back_inserter(lines));
  }
  lines.emplace_back(legend);
  if (hidden > 0) lines.push_back(fmt::format("... {}: --all", count_text(hidden, "more size")));
  return lines;
}

void put_sizes(Screen& screen, std::span<const Row> rows) {
  Lines tables = size_tables(rows, most_result_lines);
  if (!tables.empty()) screen.answer = std::move(tables);
}

}  // namespace hockney::report
