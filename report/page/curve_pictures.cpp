#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/page/plot.hpp"
#include "report/page/records_page.hpp"
#include "report/table.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t told_curves = 3;       // that a title tells one by one
constexpr std::size_t sizes_of_a_curve = 8;  // whose bandwidth and errors are worth a look

View table_of(const CurvePanel& panel, CurveQuantity quantity) {
  View table{{{"curve", "curve"},
              {"bytes", "bytes", Unit::size},
              {"median_seconds", "median", Unit::seconds},
              {"ci_low_seconds", "from", Unit::seconds},
              {"ci_high_seconds", "to", Unit::seconds},
              {"bandwidth_bytes_per_second", "bandwidth", Unit::byte_rate},
              {"launches", "launches", Unit::count}},
             {}};
  for (const CurveSummary& curve : panel.curves) {
    for (const CurvePoint& point : curve.points) {
      const bool has_rate = point.rate.value > 0;
      if (quantity == CurveQuantity::rate && !has_rate) continue;
      std::optional<double> rate;
      if (has_rate) rate = point.rate.value;
      table.rows.push_back({curve.label, point.bytes.value, point.seconds,
                            end_of(point.interval, &Interval::low),
                            end_of(point.interval, &Interval::high), rate, point.launches});
    }
  }
  return table;
}

/// The rows with the places of their marks: a time and its interval, or the bandwidths of these.
Json drawn(const View& table, CurveQuantity quantity) {
  Json values = values_of(table);
  for (Json& value : values) {
    const double seconds = value.at("median_seconds").get<double>();
    const bool is_time = quantity == CurveQuantity::seconds;
    const double middle = is_time ? seconds : value.at("bandwidth_bytes_per_second").get<double>();
    value["value"] = middle;
    if (value.at("ci_low_seconds").is_null()) continue;
    const double low = value.at("ci_low_seconds").get<double>();
    const double high = value.at("ci_high_seconds").get<double>();
    value["low"] = is_time ? low : middle * seconds / high;
    value["high"] = is_time ? high : middle * seconds / low;
  }
  return values;
}

void add_points(Json& layers, const Json& values, const CurvePanel& panel, CurveQuantity quantity) {
  const std::vector<std::string> labels = panel.labels();
  const Json color = series_color("curve", labels);
  const auto has_interval = [](const Json& value) { return value.contains("low"); };
  if (std::ranges::any_of(values, has_interval)) {
    layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
                      {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
                      {"encoding",
                       {{"x", size_channel()},
                        {"y", channel_of(quantity, "low")},
                        {"y2", {{"field", "high"}}},
                        {"color", color}}}});
  }
  layers.push_back({{"name", "rows"},
                    {"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}},
                    {"encoding", telling({{"x", size_channel()},
                                          {"y", channel_of(quantity, "value")},
                                          {"color", color},
                                          {"shape", series_shape("curve", labels)}})}});
}

/// "l3 0.331 us (0.279 .. 0.370) at 8" of one curve.
std::string told(const CurveSummary& curve, CurveQuantity quantity) {
  const CurvePoint& point =
      quantity == CurveQuantity::seconds ? curve.points.front() : curve.peak();
  const std::string& operation = curve.row->point.operation;
  std::string name = curve.label;
  if (name == operation) name.clear();
  if (name.starts_with(operation + " ")) name = name.substr(operation.size() + 1);
  return name + (name.empty() ? "" : " ") +
         (quantity == CurveQuantity::seconds ? short_time(point.seconds, point.interval)
                                             : short_rate(point.rate)) +
         " at " + format_bytes(point.bytes);
}

/// Of few curves each; of many the best and the worst.
std::string title_of(const CurvePanel& panel, CurveQuantity quantity) {
  const bool is_time = quantity == CurveQuantity::seconds;
  const std::string what = !is_time                        ? "Peak bandwidth"
                           : panel.operation == "pingpong" ? "Latency"
                                                           : "Time";
  std::vector<std::string> parts;
  if (panel.curves.size() <= told_curves) {
    for (const CurveSummary& curve : panel.curves) parts.push_back(told(curve, quantity));
  } else {
    const auto rank = [&](const CurveSummary& curve) {
      return is_time ? curve.points.front().seconds : -curve.peak().rate.value;
    };
    const auto [best, worst] = std::ranges::minmax(panel.curves, {}, rank);
    parts = {"from " + told(best, quantity), "to " + told(worst, quantity)};
  }
  return what + " of " + panel.name() + ": " +
         join(parts, panel.curves.size() <= told_curves ? "; " : " ");
}

/// What else than points a plot has.
struct Drawn {
  bool limits = false;
  bool floors = false;
  bool changes = false;
};

std::string caption_of(const CurvePanel& panel, const Drawn& drawn) {
  const auto any = [&](auto is_so) { return std::ranges::any_of(panel.curves, is_so); };
  const bool has_fits = any([](const CurveSummary& curve) { return curve.fit.has_value(); });
  const bool has_intervals = any([](const CurveSummary& curve) {
    return std::ranges::any_of(curve.points,
                               [](const CurvePoint& one) { return one.interval.has_value(); });
  });
  std::string text = "Points: medians over launches; ";
  text += has_intervals ? "bars: their 95 % intervals" : "too few of them for intervals";
  if (panel.bundled > 0) {
    text = count_text(panel.bundled, "curve") +
           " that differ in their pair alone put together. Points: the median curve; bars: from "
           "the fastest to the "
           "slowest curve";
  }
  text += has_fits ? ". Lines: models, only where they hold" : "";
  text += drawn.changes ? ". Upright bands: where a model changes, between two sizes" : "";
  text += drawn.limits ? ". Upright lines: limits of the library" : "";
  text += drawn.floors ? ". Dotted: the machine without MPI" : "";
  return text + ".";
}

Picture curve_picture(const CurvePanel& panel, CurveQuantity quantity, std::span<const Row> rows,
                      std::span<const Record> records, const PictureSource& source) {
  const bool is_time = quantity == CurveQuantity::seconds;
  Picture picture{.id = id_of((is_time ? "time-" : "bandwidth-") + panel.name()),
                  .title = title_of(panel, quantity),
                  .caption = {},
                  .table = table_of(panel, quantity),
                  .launches = source.launches,
                  .command = "hockney report " + source.paths + " --all"};
  const Json floors = is_time && panel.operation == "pingpong" ? floor_layers(rows) : Json::array();
  const Json limits = limit_layers(panel, records);
  const Json changes = breakpoint_layers(panel, records);
  Json layers = changes;
  layers.insert(layers.end(), floors.begin(), floors.end());
  const Json models = model_layers(panel, quantity);
  layers.insert(layers.end(), models.begin(), models.end());
  Json values = drawn(picture.table, quantity);
  add_points(layers, values, panel, quantity);
  layers.insert(layers.end(), limits.begin(), limits.end());
  picture.caption = caption_of(
      panel, {.limits = !limits.empty(), .floors = !floors.empty(), .changes = !changes.empty()});
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers));
  return picture;
}

View residuals_of(const CurvePanel& panel) {
  View table{{{"curve", "curve"},
              {"bytes", "bytes", Unit::size},
              {"median_seconds", "median", Unit::seconds},
              {"model_seconds", "model", Unit::seconds},
              {"ratio", "measured / model", Unit::number}},
             {}};
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    for (const CurvePoint& point : curve.points) {
      const double model = predict_by_lines(*curve.fit, point.bytes).seconds;
      if (!(model > 0)) continue;
      table.rows.push_back(
          {curve.label, point.bytes.value, point.seconds, model, point.seconds / model});
    }
  }
  return table;
}

std::string residual_title(const CurvePanel& panel) {
  std::vector<std::string> parts;
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit || parts.size() == told_curves) continue;
    const models::FitErrors& errors = curve.fit->errors;
    parts.push_back(curve.label + " " + error_text(errors.mape, 1) + ", " +
                    error_text(errors.held_out, 1) + " at sizes left out");
  }
  return "Error of the models of " + panel.name() + ": " + join(parts, "; ");
}

/// Nothing where no curve has a model.
std::vector<Picture> residual_picture(const CurvePanel& panel, const PictureSource& source) {
  Picture picture{.id = id_of("residuals-" + panel.name()),
                  .title = residual_title(panel),
                  .caption =
                      "How far the medians lie from the models. The error of a model is "
                      "the mean of these; at sizes left out: each size predicted by the "
                      "model fitted without it.",
                  .table = residuals_of(panel),
                  .launches = source.launches,
                  .command = "hockney fit " + source.paths + " --by pair"};
  if (picture.table.rows.empty()) return {};
  Json values = values_of(picture.table);
  const std::vector<std::string> labels = panel.labels();
  const auto y = [&](const char* key) {
    constexpr double least = 1.1;  // that the axis shows: what is nearer to 1 is no trouble
    Json channel = ratio_channel(key, "measured / model");
    const auto is_near = [](const Json& value) {
      const double ratio = value.at("ratio");
      return ratio < least && ratio * least > 1;
    };
    if (std::ranges::all_of(values, is_near)) channel["scale"]["domain"] = {1 / least, least};
    return channel;
  };
  Json layers = Json::array(
      {over(Json::array({{{"one", 1}}}), {{"mark", "rule"}, {"encoding", {{"y", y("one")}}}}),
       {{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}}},
        {"encoding", telling({{"x", size_channel()},
                              {"y", y("ratio")},
                              {"color", series_color("curve", labels)},
                              {"shape", series_shape("curve", labels)}})}}});
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers), 180);
  return {std::move(picture)};
}

bool has_sizes(const CurvePanel& panel, std::size_t fewest) {
  return std::ranges::any_of(
      panel.curves, [&](const CurveSummary& curve) { return curve.points.size() >= fewest; });
}

}  // namespace

std::vector<Picture> curve_pictures(std::span<const CurveSummary> curves, std::span<const Row> rows,
                                    std::span<const Record> records, const PictureSource& source) {
  std::vector<Picture> pictures;
  for (const CurvePanel& panel : curve_panels(curves, most_series)) {
    if (!has_sizes(panel, 2)) continue;
    pictures.push_back(curve_picture(panel, CurveQuantity::seconds, rows, records, source));
    if (!has_sizes(panel, sizes_of_a_curve)) continue;
    Picture rate = curve_picture(panel, CurveQuantity::rate, rows, records, source);
    if (!rate.table.rows.empty()) pictures.push_back(std::move(rate));
    std::ranges::move(residual_picture(panel, source), std::back_inserter(pictures));
  }
  return pictures;
}

namespace {

using SomePaths = std::span<const PathRow>;

constexpr std::size_t most_pictured_curves = 4;

std::string path_of(const PathRow& row) {
  return row.mpi.paths.empty() ? "unknown" : join(row.mpi.paths, " or ");
}

View table_of(SomePaths rows) {
  View table{{{"path", "path"},
              {"bytes", "bytes", Unit::size},
              {"median_seconds", "MPI", Unit::seconds},
              {"memcpy_seconds", "memcpy", Unit::seconds},
              {"process_vm_seconds", "one copy between processes", Unit::seconds},
              {"multiple", "times the floor", Unit::number}},
             {}};
  for (const PathRow& row : rows) {
    if (!row.mpi.median_seconds) continue;
    table.rows.push_back({path_of(row), row.mpi.point.bytes.value, row.mpi.median_seconds,
                          row.memcpy_seconds, row.process_vm_seconds, row.multiple});
  }
  return table;
}

/// "shm up to 2K, cma from 4K", and at the largest size how many times its floor.
std::string title_of(SomePaths rows) {
  std::vector<std::string> parts;
  const PathRow* last = nullptr;
  for (const PathRow& row : rows) {
    if (!row.mpi.median_seconds) continue;
    if (last == nullptr || path_of(*last) != path_of(row)) {
      if (last != nullptr) parts.back() += " up to " + format_bytes(last->mpi.point.bytes);
      parts.push_back(inert(path_of(row)));
      if (last != nullptr) parts.back() += " from " + format_bytes(row.mpi.point.bytes);
    }
    last = &row;
  }
  std::string text = curve_title(rows.front().mpi) + " goes by " + join(parts);
  const std::optional<double> multiple = last == nullptr ? std::nullopt : last->multiple;
  if (!multiple) return text;
  return text + "; at " + format_bytes(last->mpi.point.bytes) + " " + significant(*multiple, 2) +
         " times its floor";
}

Json floor_line(const char* key, const char* name, int dash) {
  const std::string filter = std::string("isValid(datum.") + key + ") && datum.bytes > 0";
  return {
      {"transform", Json::array({{{"filter", filter}},
                                 {{"calculate", std::string("'") + name + "'"}, {"as", "floor"}}})},
      {"mark",
       {{"type", "line"}, {"strokeDash", Json::array({dash, 3})}, {"color", "var(--soft)"}}},
      {"encoding", {{"x", size_channel()}, {"y", time_channel(key)}}}};
}

Json layers_of(const Json& values) {
  const std::vector<std::string> paths = names_in(values, "path");
  return Json::array(
      {floor_line("memcpy_seconds", "memcpy", 2),
       floor_line("process_vm_seconds", "one copy", 8),
       {{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 65}, {"opacity", 1}}},
        {"encoding", telling({{"x", size_channel()},
                              {"y", time_channel("median_seconds")},
                              {"color", series_color("path", paths)},
                              {"shape", series_shape("path", paths)}})}}});
}

}  // namespace

std::vector<Picture> path_pictures(std::span<const PathRow> rows, const PictureSource& source) {
  std::vector<Picture> pictures;
  const std::vector<PathRow> all(rows.begin(), rows.end());
  for_each_curve(all, &PathRow::mpi, [&](SomePaths curve) {
    if (pictures.size() == most_pictured_curves) return;
    Picture picture{.id = id_of("path-" + curve_title(curve.front().mpi)),
                    .title = title_of(curve),
                    .caption =
                        "Points: MPI, by the path that is proven. Short dashes: memcpy through "
                        "shared memory; long dashes: one copy from process to process.",
                    .table = table_of(curve),
                    .launches = source.launches,
                    .command = "hockney report " + source.paths + " --all"};
    if (picture.table.rows.empty()) return;
    Json values = values_of(picture.table);
    Json layers = layers_of(values);
    picture.plot = plot_of(picture.title, std::move(values), std::move(layers));
    pictures.push_back(std::move(picture));
  });
  return pictures;
}

namespace {

/// A value of an axis at one point, or at several that are put together.
struct AxisCase {
  std::string value;
  std::string place;  ///< inert: the curve, its size, and where on the other axes
  std::optional<double> seconds;
  std::vector<double> ratios;  ///< to the base; one where nothing is put together
  std::optional<Interval> interval;
};

/// Every value but the base, at every point.
std::vector<AxisCase> cases_of(const AxisTable& axis) {
  std::vector<AxisCase> cases;
  for (const AxisBlock& block : axis.blocks) {
    const std::string place = inert(curve_name(block.point)) + places_text(block.others) + ", " +
                              format_bytes(block.point.bytes);
    for (const AxisRow& row : block.rows) {
      if (!row.ratio) continue;
      cases.push_back({.value = row.value,
                       .place = place,
                       .seconds = row.row.median_seconds,
                       .ratios = {*row.ratio},
                       .interval = row.ratio_interval});
    }
  }
  return cases;
}

/// The cases, or of more than can be drawn those of a value together.
std::vector<AxisCase> drawn_cases(const std::vector<AxisCase>& cases) {
  if (cases.size() <= most_marks) return cases;
  std::vector<AxisCase> together;
  for (const AxisCase& each : cases) {
    auto found = std::ranges::find(together, each.value, &AxisCase::value);
    if (found == together.end()) {
      found = together.insert(found, {.value = each.value,
                                      .place = "all points",
                                      .seconds = {},
                                      .ratios = {},
                                      .interval = {}});
    }
    found->ratios.push_back(each.ratios.front());
  }
  for (AxisCase& each : together) {
    const auto [low, high] = std::ranges::minmax(each.ratios);
    each.interval = Interval{low, high, 1};
  }
  return together;
}

View table_of(const std::vector<AxisCase>& cases, const AxisTable& axis) {
  View table{{{"value", inert(axis.axis)},
              {"point", "point"},
              {"median_seconds", "time", Unit::seconds},
              {"ratio", "time / " + inert(axis.base), Unit::number},
              {"ratio_low", "from", Unit::number},
              {"ratio_high", "to", Unit::number}},
             {}};
  for (const AxisCase& each : cases) {
    table.rows.push_back({each.value, each.place, each.seconds, median_of_some(each.ratios),
                          end_of(each.interval, &Interval::low),
                          end_of(each.interval, &Interval::high)});
  }
  return table;
}

/// The median of each value over all points, in order of values.
std::vector<std::pair<std::string, double>> medians_of(const std::vector<AxisCase>& cases) {
  std::vector<std::string> values;
  std::map<std::string, std::vector<double>> ratios;
  for (const AxisCase& each : cases) {
    std::vector<double>& some = ratios[each.value];
    if (some.empty()) values.push_back(each.value);
    some.insert(some.end(), each.ratios.begin(), each.ratios.end());
  }
  std::ranges::sort(values, verdicts::axis_value_precedes);
  std::vector<std::pair<std::string, double>> medians;
  medians.reserve(values.size());
  for (const std::string& value : values)
    medians.emplace_back(value, median_of_some(ratios[value]));
  return medians;
}

Json layers_of(const std::vector<std::pair<std::string, double>>& medians,
               const std::string& base) {
  std::vector<std::string> values;
  Json middles = Json::array();
  for (const auto& [value, ratio] : medians) {
    values.push_back(inert(value));
    middles.push_back({{"value", inert(value)}, {"ratio", ratio}});
  }
  Json y = name_channel("value", "", values);
  y["axis"] = {{"title", nullptr}, {"grid", true}};
  const auto x = [&](const char* key) { return ratio_channel(key, "time / time of " + base, "x"); };
  return Json::array(
      {over(Json::array({{{"ratio", 1}}}), {{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}},
                                            {"encoding", {{"x", x("ratio")}}}}),
       {{"name", "rows"},
        {"mark",
         {{"type", "point"},
          {"size", 45},
          {"opacity", 1},
          {"strokeWidth", 1.5},
          {"color", "var(--series-1)"}}},
        {"encoding", telling({{"y", y}, {"x", x("ratio")}})}},
       over(middles, {{"mark",
                       {{"type", "point"},
                        {"shape", "M0,-0.5V0.5"},
                        {"size", 500},
                        {"strokeWidth", 4},
                        {"opacity", 1},
                        {"color", "var(--ink)"}}},
                      {"encoding", {{"y", y}, {"x", x("ratio")}}}})});
}

/// "By segment: 64K takes 0.83 times the time of default, 1K 1.10 times": the least and the most.
std::string title_of(const std::vector<std::pair<std::string, double>>& medians,
                     const AxisTable& axis) {
  const auto [least, most] =
      std::ranges::minmax(medians, {}, &std::pair<std::string, double>::second);
  std::string text = "By " + inert(axis.axis) + ": " + inert(least.first) + " takes " +
                     significant(least.second, 3) + " times as long as " + inert(axis.base);
  if (medians.size() == 1) return text;
  return text + ", " + inert(most.first) + " " + significant(most.second, 3) + " times";
}

/// Times of several campaigns mean nothing to each other.
bool are_of_one_campaign(std::span<const Record> records) {
  const auto name_of = [](const Record& record) {
    return record.campaign ? record.campaign->name : std::string();
  };
  return std::ranges::all_of(
      records, [&](const Record& record) { return name_of(record) == name_of(records.front()); });
}

}  // namespace

std::vector<Picture> sweep_pictures(std::span<const Record> records, const PictureSource& source) {
  const std::vector<std::string> axes = verdicts::axes_of(records);
  std::vector<Picture> pictures;
  if (axes.size() < 2 || !are_of_one_campaign(records)) return pictures;
  for (const std::string& name : axes) {
    const AxisTable axis = by_axis(records, name);
    const std::vector<AxisCase> cases = cases_of(axis);
    if (cases.empty()) continue;
    const auto medians = medians_of(cases);
    const std::vector<AxisCase> drawn = drawn_cases(cases);
    Picture picture{.id = id_of("axis-" + name),
                    .title = title_of(medians, axis) + " (median over all points)",
                    .caption =
                        "Each dot: a point of the sweep, all other axes being the same. "
                        "Bar: the median of a value.",
                    .table = table_of(drawn, axis),
                    .launches = source.launches,
                    .command = "hockney report " + source.paths + " --by " + inert(name)};
    if (drawn.size() < cases.size()) {
      picture.caption += " " + count_text(cases.size(), "point") + " are put together by value.";
    }
    picture.plot =
        plot_of(picture.title, values_of(picture.table), layers_of(medians, inert(axis.base)),
                70 + static_cast<int>(medians.size()) * 30);
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace hockney::report
