#include "report/page/plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "models/fit_set.hpp"
#include "report/rows.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr double place_of_zero = 0.5;  // [B]

constexpr const char* size_words =
    "datum.value < 1 ? '0' : datum.value >= 1073741824 ? format(datum.value / 1073741824, '~g') + "
    "'G'"
    " : datum.value >= 1048576 ? format(datum.value / 1048576, '~g') + 'M'"
    " : datum.value >= 1024 ? format(datum.value / 1024, '~g') + 'K' : format(datum.value, '~g')";
constexpr const char* time_words =
    "datum.value < 9.99e-7 ? format(datum.value * 1e9, '~g') + ' ns'"
    " : datum.value < 9.99e-4 ? format(datum.value * 1e6, '~g') + ' us'"
    " : datum.value < 0.999 ? format(datum.value * 1e3, '~g') + ' ms'"
    " : format(datum.value, '~g') + ' s'";
constexpr const char* rate_words =
    "datum.value < 9.99e5 ? format(datum.value / 1e3, '~g') + ' kB/s'"
    " : datum.value < 9.99e8 ? format(datum.value / 1e6, '~g') + ' MB/s'"
    " : format(datum.value / 1e9, '~g') + ' GB/s'";

constexpr const char* amount_words =
    "datum.value < 9999 ? format(datum.value, '~g') + ' B'"
    " : datum.value < 9.99e5 ? format(datum.value / 1e3, '~g') + ' KB'"
    " : datum.value < 9.99e8 ? format(datum.value / 1e6, '~g') + ' MB'"
    " : format(datum.value / 1e9, '~g') + ' GB'";

Json even_channel(const std::string& key, const std::string& title) {
  return {{"field", key},
          {"type", "quantitative"},
          {"scale", {{"zero", true}}},
          {"axis", {{"title", title}, {"tickCount", 6}}}};
}

/// Of the ticks of a logarithmic axis powers of 10 alone are told and have lines, with 2 and 5
/// times these where they are few.
Json log_channel(const std::string& key, const std::string& title, const std::string& words,
                 const std::string& axis) {
  const std::string leading = "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))";
  const std::string growth = "domain('" + axis + "')[1] / domain('" + axis + "')[0]";
  const std::string told = "(" + leading + " == 1 || " + growth + " < 8 || (" + growth +
                           " < 900 && (" + leading + " == 2 || " + leading + " == 5)))";
  return {{"field", key},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"nice", false}, {"padding", 14}}},
          {"axis",
           {{"title", title},
            {"labelExpr", told + " ? (" + words + ") : ''"},
            {"labelOverlap", false},
            {"gridColor",
             {{"condition", {{"test", told}, {"value", "var(--line)"}}}, {"value", "transparent"}}},
            {"tickCount", 10}}}};
}

/// A channel whose values are the names in their order.
Json named(const std::string& key, const std::vector<std::string>& names, Json range) {
  return {{"field", key},
          {"type", "nominal"},
          {"scale", {{"domain", names}, {"range", std::move(range)}}},
          {"legend", names.size() > 1 ? Json{{"title", nullptr}} : Json(nullptr)}};
}

/// The first so many of a list.
template <class Values>
Json first_of(const Values& values, std::size_t count) {
  Json some = Json::array();
  for (std::size_t i = 0; i < count; ++i) some.push_back(values[i % values.size()]);
  return some;
}

}  // namespace

Json plot_theme() {
  const std::string font = R"(system-ui, "Liberation Sans", Arial, sans-serif)";
  const Json words{{"labelColor", "var(--ink)"},
                   {"titleColor", "var(--ink)"},
                   {"labelFontSize", 12},
                   {"titleFontSize", 12},
                   {"titleFontWeight", "normal"}};
  Json axis = words;
  axis.update(Json{{"gridColor", "var(--line)"},
                   {"domainColor", "var(--soft)"},
                   {"tickColor", "var(--soft)"},
                   {"labelOverlap", "greedy"},
                   {"labelLimit", 220}});
  Json legend = words;
  legend.update(Json{{"orient", "top"},
                     {"columns", 3},
                     {"labelLimit", 300},
                     {"symbolSize", 90},
                     {"symbolStrokeColor", "var(--ink)"},
                     {"symbolFillColor", "var(--ink)"}});
  return {{"background", "transparent"},
          {"font", font},
          {"axis", std::move(axis)},
          {"legend", std::move(legend)},
          {"view", {{"stroke", "transparent"}}},
          {"rule", {{"color", "var(--soft)"}}},
          {"text", {{"color", "var(--ink)"}, {"fontSize", 12}}}};
}

Json plot_of(const std::string& title, Json values, Json layers, int height) {
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"description", title},
          {"width", "container"},
          {"height", height},
          {"autosize", {{"type", "fit"}, {"contains", "padding"}}},
          {"data", {{"values", std::move(values)}}},
          {"layer", std::move(layers)}};
}

std::vector<std::string> names_in(const Json& values, const std::string& key) {
  std::vector<std::string> names;
  for (const Json& value : values) {
    const std::string name = value.at(key);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Json over(Json values, Json layer) {
  layer["data"] = {{"values", std::move(values)}};
  return layer;
}

Json size_channel() {
  return {{"field", "drawn_bytes"},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"base", 2}, {"nice", false}, {"padding", 14}}},
          {"axis", {{"title", "message size [B]"}, {"labelExpr", size_words}, {"tickCount", 6}}}};
}

double drawn_bytes(Bytes bytes) {
  return std::max(static_cast<double>(bytes.value), place_of_zero);
}

Json time_channel(const std::string& key) {
  return log_channel(key, "time of one operation", time_words, "y");
}

Json rate_channel(const std::string& key) { return log_channel(key, "bandwidth", rate_words, "y"); }

Json ratio_channel(const std::string& key, const std::string& title, const std::string& axis) {
  return log_channel(key, title, "format(datum.value, '~g')", axis);
}

Json even_time_channel(const std::string& key, const std::string& title) {
  Json channel = even_channel(key, title);
  channel["axis"]["labelExpr"] = std::string("datum.value == 0 ? '0' : ") + time_words;
  return channel;
}

Json share_channel(const std::string& key, const std::string& title) {
  Json channel = even_channel(key, title);
  channel["axis"]["labelExpr"] = "format(100 * datum.value, '~g') + ' %'";
  return channel;
}

Json amount_channel(const std::string& key, const std::string& title) {
  Json channel = even_channel(key, title);
  channel["axis"]["labelExpr"] = amount_words;
  return channel;
}

Json ranks_channel(const std::string& key, const Json& values) {
  std::set<int> ranks;
  for (const Json& value : values) ranks.insert(value.at(key).get<int>());
  return {{"field", key},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"base", 2}, {"nice", false}, {"padding", 14}}},
          {"axis", {{"title", "ranks"}, {"format", "~g"}, {"values", ranks}}}};
}

Json name_channel(const std::string& key, const std::string& title,
                  const std::vector<std::string>& names) {
  return {{"field", key}, {"type", "nominal"}, {"sort", names}, {"axis", {{"title", title}}}};
}

Json series_color(const std::string& key, const std::vector<std::string>& names) {
  Json colors = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    colors.push_back("var(--series-" + std::to_string(i % most_series + 1) + ")");
  }
  return named(key, names, std::move(colors));
}

Json series_shape(const std::string& key, const std::vector<std::string>& names) {
  static const std::vector<std::string> shapes{"circle",        "square",        "triangle-up",
                                               "diamond",       "cross",         "triangle-down",
                                               "triangle-left", "triangle-right"};
  return named(key, names, first_of(shapes, names.size()));
}

Json series_dash(const std::string& key, const std::vector<std::string>& names) {
  static const std::vector<std::vector<int>> dashes{{1, 0},  {6, 3}, {2, 2}, {8, 3, 2, 3},
                                                    {12, 4}, {4, 6}, {2, 6}, {8, 2, 2, 2, 2, 2}};
  return named(key, names, first_of(dashes, names.size()));
}

Json part_color(const std::string& key, const std::vector<std::string>& names) {
  Json colors = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t step = names.size() > 1 ? i * (heat_steps - 1) / (names.size() - 1) : 2;
    colors.push_back("var(--heat-" + std::to_string(step + 1) + ")");
  }
  return named(key, names, std::move(colors));
}

HeatScale::HeatScale(const std::vector<double>& values, std::string (*text_of)(double)) {
  const auto [low, high] = std::ranges::minmax(values);
  low_ = low;
  const std::size_t steps = high > low * 1.02 ? heat_steps : 1;
  step_ = steps > 1 ? std::pow(high / low, 1 / static_cast<double>(steps)) : 1;
  for (std::size_t i = 0; i < steps; ++i) {
    const double from = low * std::pow(step_, static_cast<double>(i));
    const double to = i + 1 == steps ? high : from * step_;
    ranges_.push_back(text_of(from) + " .. " + text_of(to));
  }
}

std::size_t HeatScale::place_of(double value) const {
  if (ranges_.size() == 1) return 0;
  const double place = std::floor(std::log(value / low_) / std::log(step_) + 1e-9);
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(ranges_.size() - 1)));
}

const std::string& HeatScale::range_of(double value) const { return ranges_[place_of(value)]; }

std::string HeatScale::ink_on(double value) const {
  return "var(--on-heat-" + std::to_string(place_of(value) + 1) + ")";
}

Json HeatScale::color(const std::string& key, const std::string& title) const {
  Json colors = Json::array();
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    colors.push_back("var(--heat-" + std::to_string(i + 1) + ")");
  }
  return {{"field", key},
          {"type", "ordinal"},
          {"scale", {{"domain", ranges_}, {"range", std::move(colors)}}},
          {"legend", {{"title", title}, {"symbolStrokeColor", "var(--soft)"}}}};
}

Json telling(Json encoding) {
  const Json says{{"field", "says"}, {"type", "nominal"}};
  encoding["tooltip"] = says;
  encoding["description"] = says;
  return encoding;
}

namespace {

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
