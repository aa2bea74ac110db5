#include "report/page/curve_layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "models/fit_set.hpp"
#include "report/page/plot.hpp"
#include "report/paired_rows.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// From the top down, at the left of what it names.
Json upright_text() {
  return {{"type", "text"}, {"angle", 270},   {"align", "right"}, {"dx", -4},
          {"dy", -6},       {"fontSize", 11}, {"limit", 250}};
}

constexpr std::size_t line_points = 24;  // that draw a segment of a model

/// Bytes that count for bandwidth, for each byte of the size; 0 where none do.
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
                      {"segment", curve.label + " " + std::to_string(segment.from.value)},
                      {"drawn_bytes", drawn},
                      {"value", value}});
  }
}

/// By size, each limit once.
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

/// Where models change, and what is said of it.
struct Change {
  models::FittedBreakpoint breakpoint;
  std::vector<std::string> curves;
  std::string limit;
};

/// By their sizes, each once.
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

}  // namespace

Json channel_of(CurveQuantity quantity, const std::string& key) {
  return quantity == CurveQuantity::seconds ? time_channel(key) : rate_channel(key);
}

Json model_layers(const CurvePanel& panel, CurveQuantity quantity) {
  Json values = Json::array();
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    for (const models::Segment& segment : curve.fit->segments) {
      add_segment(values, curve, segment, quantity);
    }
  }
  if (values.empty()) return values;
  const std::vector<std::string> labels = panel.labels();
  Json layer{{"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
             {"encoding",
              {{"x", size_channel()},
               {"y", channel_of(quantity, "value")},
               {"detail", {{"field", "segment"}, {"type", "nominal"}}},
               {"color", series_color("curve", labels)},
               {"strokeDash", series_dash("curve", labels)}}}};
  return Json::array({over(std::move(values), std::move(layer))});
}

Json breakpoint_layers(const CurvePanel& panel, std::span<const Record> records) {
  constexpr std::size_t most_names = 4;  // that stand beside each other
  const auto changes = changes_of(panel, records);
  Json bands = Json::array();
  Json names = Json::array();
  for (const auto& [sizes, change] : changes) {
    const std::string where =
        format_bytes(change.breakpoint.after) + " to " + format_bytes(change.breakpoint.before);
    const std::string limit = change.limit.empty() ? "no known limit" : change.limit;
    bands.push_back({{"drawn_bytes", drawn_bytes(change.breakpoint.after)},
                     {"until_bytes", drawn_bytes(change.breakpoint.before)},
                     {"says", "the model of " + join(change.curves) + " changes from " + where +
                                  ": " + limit}});
    if (change.breakpoint.names && !change.breakpoint.names->empty()) continue;
    names.push_back({{"drawn_bytes", drawn_bytes(change.breakpoint.after)},
                     {"name", change.limit.empty() ? "model changes, " + where : change.limit}});
  }
  if (bands.empty()) return bands;
  Json channels = telling({{"x", size_channel()}, {"x2", {{"field", "until_bytes"}}}});
  Json layers = Json::array(
      {over(bands, {{"mark", {{"type", "rect"}, {"color", "var(--band)"}, {"opacity", 1}}},
                    {"encoding", channels}})});
  if (names.empty() || names.size() > most_names) return layers;
  layers.push_back(over(names, {{"mark", upright_text()},
                                {"encoding",
                                 {{"x", size_channel()},
                                  {"y", {{"value", 0}}},
                                  {"text", {{"field", "name"}, {"type", "nominal"}}}}}}));
  return layers;
}

Json limit_layers(const CurvePanel& panel, std::span<const Record> records) {
  Json values = Json::array();
  for (const auto& [bytes, names] : limits_of(panel, records)) {
    const std::string name = inert(join(names)) + ", " + std::to_string(bytes) + " B";
    values.push_back({{"drawn_bytes", bytes}, {"name", name}, {"says", name}});
  }
  if (values.empty()) return Json::array();
  return Json::array(
      {over(values, {{"mark", {{"type", "rule"}, {"strokeDash", Json::array({4, 4})}}},
                     {"encoding", telling({{"x", size_channel()}})}}),
       over(values, {{"mark", upright_text()},
                     {"encoding",
                      {{"x", size_channel()},
                       {"y", {{"value", 0}}},
                       {"text", {{"field", "name"}, {"type", "nominal"}}}}}})});
}

Json floor_layers(std::span<const Row> rows) {
  Json values = Json::array();
  std::map<std::string, std::vector<Json>> named;
  for (const Row& row : rows) {
    if (!is_floor(row.point) || !row.median_seconds || row.point.bytes.value == 0) continue;
    const std::string name = inert(row.point.operation);
    values.push_back({{"floor", name},
                      {"drawn_bytes", row.point.bytes.value},
                      {"value", *row.median_seconds},
                      {"says", name + " (without MPI): " + short_time(*row.median_seconds)}});
    named[name].push_back(values.back());
  }
  if (values.empty()) return values;
  Json names = Json::array();
  for (const auto& [name, some] : named) {  // not all of them at one end
    const std::size_t back = 1 + names.size() * 4;
    names.push_back(some[some.size() > back ? some.size() - back : 0]);
  }
  const Json places{{"x", size_channel()}, {"y", time_channel("value")}};
  Json line = telling(places);
  line["detail"] = {{"field", "floor"}, {"type", "nominal"}};
  Json text = places;
  text["text"] = {{"field", "floor"}, {"type", "nominal"}};
  return Json::array({over(values, {{"mark",
                                     {{"type", "line"},
                                      {"strokeWidth", 1.5},
                                      {"strokeDash", Json::array({2, 3})},
                                      {"color", "var(--soft)"}}},
                                    {"encoding", line}}),
                      over(names, {{"mark", {{"type", "text"}, {"align", "right"}, {"dy", 14}}},
                                   {"encoding", text}})});
}

}  // namespace hockney::report
