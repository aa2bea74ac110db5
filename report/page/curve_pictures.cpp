#include <algorithm>
#include <cmath>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/curve_layers.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t told_curves = 3;       // that a title tells one by one
constexpr std::size_t sizes_of_a_curve = 8;  // whose bandwidth and errors are worth a look

PageTable table_of(const CurvePanel& panel, CurveQuantity quantity) {
  PageTable table{{{"curve", "curve"},
                   {"bytes", "bytes"},
                   {"median", "median_seconds"},
                   {"from", "ci_low_seconds"},
                   {"to", "ci_high_seconds"},
                   {"bandwidth", "bandwidth_bytes_per_second"},
                   {"launches", "launches"}},
                  {}};
  for (const CurveSummary& curve : panel.curves) {
    for (const CurvePoint& point : curve.points) {
      const bool has_rate = point.rate.value > 0;
      if (quantity == CurveQuantity::rate && !has_rate) continue;
      const PageCell rate =
          has_rate ? PageCell(short_rate(point.rate, 4), point.rate.value) : PageCell("-", nullptr);
      table.rows.push_back({curve.label, size_on_page(point.bytes), time_on_page(point.seconds),
                            time_on_page(end_of(point.interval, &Interval::low)),
                            time_on_page(end_of(point.interval, &Interval::high)), rate,
                            count_on_page(point.launches)});
    }
  }
  return table;
}

/// The rows with the places of their marks: a time and its interval, or the bandwidths of these.
Json drawn(const PageTable& table, CurveQuantity quantity) {
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
  return what + " of " + inert(panel.operation) + ": " +
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
           " put together by hop class. Points: the median curve; bars: from the fastest to the "
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
  Picture picture{.id = id_of((is_time ? "time-" : "bandwidth-") + panel.operation),
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

PageTable residuals_of(const CurvePanel& panel) {
  PageTable table{{{"curve", "curve"},
                   {"bytes", "bytes"},
                   {"median", "median_seconds"},
                   {"model", "model_seconds"},
                   {"measured / model", "ratio"}},
                  {}};
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    for (const CurvePoint& point : curve.points) {
      const double model = predict(*curve.fit, point.bytes).seconds;
      if (!(model > 0)) continue;
      table.rows.push_back({curve.label, size_on_page(point.bytes), time_on_page(point.seconds),
                            time_on_page(model), number_on_page(point.seconds / model)});
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
  return "Error of the models of " + inert(panel.operation) + ": " + join(parts, "; ");
}

/// Nothing where no curve has a model.
std::vector<Picture> residual_picture(const CurvePanel& panel, const PictureSource& source) {
  Picture picture{.id = id_of("residuals-" + panel.operation),
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

}  // namespace hockney::report
