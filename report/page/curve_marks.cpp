#include "report/page/curve_marks.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "models/fit_set.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t line_points = 24;  // of a segment of a model

/// Bytes that count for bandwidth, for each byte of the size; 0 if none count.
double counted_bytes(const CurveSummary& curve) {
  const CurvePoint& peak = curve.peak();
  if (peak.bytes.value == 0) return 0;
  return peak.rate.value * peak.seconds / static_cast<double>(peak.bytes.value);
}

void add_segment(Json& values, const CurveSummary& curve, const models::Segment& segment,
                 CurveQuantity quantity) {
  const double from = drawn_bytes(segment.from);
  const double growth = drawn_bytes(segment.to) / from;
  for (std::size_t i = 0; i < line_points; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(line_points - 1);
    const double drawn = from * std::pow(growth, part);
    const double bytes = drawn < 1 ? 0 : drawn;
    const double seconds = segment.line.alpha_seconds + segment.line.beta_seconds_per_byte * bytes;
    const double value =
        quantity == CurveQuantity::seconds ? seconds : counted_bytes(curve) * bytes / seconds;
    if (!(seconds > 0) || !(value > 0)) continue;
    values.push_back({{"curve", curve.label},
                      {"segment", fmt::format("{} {}", curve.label, segment.from.value)},
                      {"drawn_bytes", drawn},
                      {"value", value}});
  }
}

/// Names of limits by size, each limit once.
std::map<std::int64_t, std::vector<std::string>> limits_of(const CurvePanel& panel,
                                                           std::span<const Record> records) {
  std::map<std::int64_t, std::vector<std::string>> names;
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    const auto limits = models::known_limits(records, curve.fit->mpi_library, curve.row->point.hop);
    for (const models::KnownLimit& limit : limits.value_or(std::vector<models::KnownLimit>())) {
      const bool is_among = curve.points.front().bytes.value <= limit.bytes &&
                            limit.bytes <= curve.points.back().bytes.value;
      if (!is_among) continue;
      auto& some = names[limit.bytes];
      if (std::ranges::find(some, limit.name) == some.end()) some.push_back(limit.name);
    }
  }
  return names;
}

/// A breakpoint of one or more models.
struct Change {
  models::FittedBreakpoint breakpoint;
  std::vector<std::string> curves;
  std::string limit;
};

/// Breakpoints by the sizes before and after them.
std::map<std::pair<std::int64_t, std::int64_t>, Change> changes_of(
    const CurvePanel& panel, std::span<const Record> records) {
  const Settings settings = settings_of(records);
  std::map<std::pair<std::int64_t, std::int64_t>, Change> changes;
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    for (const models::FittedBreakpoint& one : curve.fit->breakpoints) {
      Change& change = changes[{one.after.value, one.before.value}];
      change.breakpoint = one;
      change.curves.push_back(curve.label);
      if (change.limit.empty()) change.limit = limit_text(one, curve, settings);
    }
  }
  return changes;
}

Json model_lines(const CurvePanel& panel, CurveQuantity quantity) {
  Json values = Json::array();
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    for (const models::Segment& segment : curve.fit->segments) {
      add_segment(values, curve, segment, quantity);
    }
  }
  return values;
}

void add_bands(Json& marks, const CurvePanel& panel, std::span<const Record> records) {
  constexpr std::size_t most_names = 4;  // side by side
  Json bands = Json::array();
  Json names = Json::array();
  for (const auto& [sizes, change] : changes_of(panel, records)) {
    const double from = drawn_bytes(change.breakpoint.after);
    const std::string where = fmt::format("{} to {}", format_bytes(change.breakpoint.after),
                                          format_bytes(change.breakpoint.before));
    const std::string limit = change.limit.empty() ? "no known limit" : change.limit;
    bands.push_back({{"drawn_bytes", from},
                     {"until_bytes", drawn_bytes(change.breakpoint.before)},
                     {"says", fmt::format("the model of {} changes from {}: {}",
                                          join(change.curves), where, limit)}});
    if (change.breakpoint.names && !change.breakpoint.names->empty()) continue;
    names.push_back({{"drawn_bytes", from},
                     {"name", change.limit.empty() ? "model changes, " + where : change.limit}});
  }
  marks["bands"] = std::move(bands);
  marks["band_names"] = names.size() > most_names ? Json::array() : std::move(names);
}

Json limit_lines(const CurvePanel& panel, std::span<const Record> records) {
  Json values = Json::array();
  for (const auto& [bytes, names] : limits_of(panel, records)) {
    const std::string name = fmt::format("{}, {} B", inert(join(names)), bytes);
    values.push_back({{"drawn_bytes", bytes}, {"name", name}, {"says", name}});
  }
  return values;
}

void add_floors(Json& marks, std::span<const Row> rows) {
  std::map<std::string, std::vector<Json>> named;
  for (const Row& row : rows) {
    if (!is_floor(row.point) || !row.median_seconds || row.point.bytes.value == 0) continue;
    const std::string name = inert(row.point.operation);
    marks["floors"].push_back(
        {{"floor", name},
         {"drawn_bytes", row.point.bytes.value},
         {"value", *row.median_seconds},
         {"says", fmt::format("{} (without MPI): {}", name, short_time(*row.median_seconds))}});
    named[name].push_back(marks["floors"].back());
  }
  Json& names = marks["floor_names"];
  for (const auto& [name, some] : named) {  // each further to the left, so that they do not overlap
    const std::size_t back = 1 + names.size() * 4;
    names.push_back(some[some.size() > back ? some.size() - back : 0]);
  }
}

}  // namespace

Json curve_marks(const CurvePanel& panel, CurveQuantity quantity, std::span<const Row> rows,
                 std::span<const Record> records) {
  Json marks{{"models", model_lines(panel, quantity)},
             {"limits", limit_lines(panel, records)},
             {"floors", Json::array()},
             {"floor_names", Json::array()}};
  add_bands(marks, panel, records);
  const bool has_floors = quantity == CurveQuantity::seconds && panel.operation == "pingpong";
  if (has_floors) add_floors(marks, rows);
  return marks;
}

}  // namespace hockney::report
