#include "report/page/plot.hpp"

#include <algorithm>
#include <cmath>
#include <set>

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

}  // namespace hockney::report
