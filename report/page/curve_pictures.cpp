#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/page/curve_marks.hpp"
#include "report/page/plot.hpp"
#include "report/page/records_page.hpp"
#include "report/table.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/tables/axis_table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view put_together =
    "{} that differ in their pair alone put together. Points: the median curve; bars: from the "
    "fastest to the slowest curve.";
constexpr std::string_view medians_with_intervals =
    "Points: medians over launches; bars: their 95 % intervals.";
constexpr std::string_view medians_alone =
    "Points: medians over launches; too few of them for intervals.";
constexpr std::string_view error_of_curve = "{} {}, {} at sizes left out";
constexpr std::string_view error_of_models = "Error of the models of {}: {}";
constexpr std::string_view goes_by = "{} goes by {}";
constexpr std::string_view goes_by_above_floor = "{} goes by {}; at {} {} times its floor";
constexpr std::string_view value_of_axis =
    "By {}: {} takes {} times as long as {} (median over all points)";
constexpr std::string_view values_of_axis =
    "By {}: {} takes {} times as long as {}, {} {} times (median over all points)";
constexpr std::string_view put_together_by_value = " {} are put together by value and curve.";

}  // namespace words

constexpr std::size_t told_curves = 3;       // that a title lists one by one
constexpr std::size_t sizes_of_a_curve = 8;  // that get pictures of bandwidth and errors

/// A point of a curve.
struct CurveCase {
  const CurveSummary* curve = nullptr;  ///< never null
  CurvePoint point;

  [[nodiscard]] std::optional<double> rate() const {
    return point.rate.value > 0 ? std::optional(point.rate.value) : std::nullopt;
  }
};

View table_of(const CurvePanel& panel, CurveQuantity quantity) {
  std::vector<CurveCase> cases;
  for (const CurveSummary& curve : panel.curves) {
    for (const CurvePoint& point : curve.points) {
      const CurveCase one{&curve, point};
      if (quantity == CurveQuantity::seconds || one.rate()) cases.push_back(one);
    }
  }
  using Case = CurveCase;
  const Columns<Case> columns{
      {{"curve", "curve"}, [](const Case& one) { return one.curve->label; }},
      {{"bytes", "bytes", Unit::size}, [](const Case& one) { return one.point.bytes.value; }},
      {{"median_seconds", "median", Unit::seconds},
       [](const Case& one) { return one.point.seconds; }},
      interval_column<Case>(
          "ci_seconds", Unit::seconds, [](const Case& one) { return one.point.interval; },
          panel.bundled > 0 ? "fastest .. slowest" : "interval"),
      {{"bandwidth_bytes_per_second", "bandwidth", Unit::byte_rate}, &Case::rate},
      {{"launches", "launches", Unit::count}, [](const Case& one) { return one.point.launches; }}};
  return make_view(columns, cases);
}

/// The rows with the positions of their marks: a time and its interval, or the bandwidths of these.
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

/// "l3 0.331 us (0.279 .. 0.370) at 8" for one curve.
std::string told(const CurveSummary& curve, CurveQuantity quantity) {
  const CurvePoint& point =
      quantity == CurveQuantity::seconds ? curve.points.front() : curve.peak();
  const std::string& operation = curve.row->point.operation;
  std::string name = curve.label;
  if (name == operation) name.clear();
  if (name.starts_with(operation + " ")) name = name.substr(operation.size() + 1);
  return fmt::format("{}{}{} at {}", name, name.empty() ? "" : " ",
                     quantity == CurveQuantity::seconds ? short_time(point.seconds, point.interval)
                                                        : short_rate(point.rate),
                     format_bytes(point.bytes));
}

/// Lists each curve if there are few, else the best and the worst.
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
  return fmt::format("{} of {}: {}", what, panel.name(),
                     join(parts, panel.curves.size() <= told_curves ? "; " : " "));
}

std::string caption_of_points(const CurvePanel& panel, bool has_intervals) {
  if (panel.bundled > 0) {
    return fmt::format(words::put_together, count_text(panel.bundled, "curve"));
  }
  return std::string(has_intervals ? words::medians_with_intervals : words::medians_alone);
}

Picture curve_picture(const CurvePanel& panel, CurveQuantity quantity, std::span<const Row> rows,
                      std::span<const Record> records, const PictureSource& source) {
  const bool is_time = quantity == CurveQuantity::seconds;
  Picture picture{.id = id_of((is_time ? "time-" : "bandwidth-") + panel.name()),
                  .title = title_of(panel, quantity),
                  .table = table_of(panel, quantity),
                  .launches = source.launches,
                  .command = fmt::format("hockney report {} --all", source.paths)};
  Json values = drawn(picture.table, quantity);
  Json bindings = curve_marks(panel, quantity, rows, records);
  bindings.update(Json{{"points", caption_of_points(panel, has_any(values, "low"))},
                       {"quantity", is_time ? "operation_time" : "rate"},
                       {"series", series_of("curve", panel.labels())}});
  draw(picture, "curves", std::move(values), std::move(bindings));
  return picture;
}

/// A point of a curve beside its model.
struct ResidualCase {
  std::string curve;
  CurvePoint point;
  double model_seconds = 0;
};

View residuals_of(const CurvePanel& panel) {
  std::vector<ResidualCase> cases;
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit) continue;
    for (const CurvePoint& point : curve.points) {
      const double model = predict_by_lines(*curve.fit, point.bytes).seconds;
      if (model > 0) cases.push_back({curve.label, point, model});
    }
  }
  using Case = ResidualCase;
  const Columns<Case> columns{
      {{"curve", "curve"}, &Case::curve},
      {{"bytes", "bytes", Unit::size}, [](const Case& one) { return one.point.bytes.value; }},
      {{"median_seconds", "median", Unit::seconds},
       [](const Case& one) { return one.point.seconds; }},
      {{"model_seconds", "model", Unit::seconds}, &Case::model_seconds},
      {{"ratio", "measured / model", Unit::number},
       [](const Case& one) { return one.point.seconds / one.model_seconds; }}};
  return make_view(columns, cases);
}

std::string residual_title(const CurvePanel& panel) {
  std::vector<std::string> parts;
  for (const CurveSummary& curve : panel.curves) {
    if (!curve.fit || parts.size() == told_curves) continue;
    const models::FitErrors& errors = curve.fit->errors;
    parts.push_back(fmt::format(words::error_of_curve, curve.label, error_text(errors.mape, 1),
                                error_text(errors.held_out, 1)));
  }
  return fmt::format(words::error_of_models, panel.name(), join(parts, "; "));
}

/// Empty if no curve has a model.
std::vector<Picture> residual_picture(const CurvePanel& panel, const PictureSource& source) {
  Picture picture{.id = id_of("residuals-" + panel.name()),
                  .title = residual_title(panel),
                  .table = residuals_of(panel),
                  .launches = source.launches,
                  .command = fmt::format("hockney fit {} --by pair", source.paths)};
  if (picture.table.rows.empty()) return {};
  Json values = values_of(picture.table);
  constexpr double least = 1.1;  // the axis reaches this even if all ratios are nearer to 1
  const auto is_near = [](const Json& value) {
    const double ratio = value.at("ratio");
    return ratio < least && ratio * least > 1;
  };
  Json domain;
  if (std::ranges::all_of(values, is_near)) domain = {1 / least, least};
  draw(picture, "residuals", std::move(values),
       {{"domain", domain}, {"series", series_of("curve", panel.labels())}});
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
  std::vector<PathRow> timed;
  std::ranges::copy_if(rows, std::back_inserter(timed),
                       [](const PathRow& row) { return row.mpi.median_seconds.has_value(); });
  const Columns<PathRow> columns{
      {{"path", "path"}, path_of},
      {{"bytes", "bytes", Unit::size},
       [](const PathRow& row) { return row.mpi.point.bytes.value; }},
      {{"median_seconds", "MPI", Unit::seconds},
       [](const PathRow& row) { return row.mpi.median_seconds; }},
      {{"memcpy_seconds", "memcpy", Unit::seconds}, &PathRow::memcpy_seconds},
      {{"process_vm_seconds", "one copy between processes", Unit::seconds},
       &PathRow::process_vm_seconds},
      {{"multiple", "times the floor", Unit::number}, &PathRow::multiple}};
  return make_view(columns, timed);
}

/// "shm up to 2K, cma from 4K", and the ratio to the floor at the largest size.
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
  const std::string curve = curve_title(rows.front().mpi);
  const std::string paths = join(parts);
  const std::optional<double> multiple = last == nullptr ? std::nullopt : last->multiple;
  if (!multiple) return fmt::format(words::goes_by, curve, paths);
  return fmt::format(words::goes_by_above_floor, curve, paths, format_bytes(last->mpi.point.bytes),
                     significant(*multiple, 2));
}

}  // namespace

std::vector<Picture> path_pictures(std::span<const PathRow> rows, const PictureSource& source) {
  std::vector<Picture> pictures;
  const std::vector<PathRow> all(rows.begin(), rows.end());
  for_each_curve(all, &PathRow::mpi, [&](SomePaths curve) {
    if (pictures.size() == most_pictured_curves) return;
    Picture picture{.id = id_of("path-" + curve_title(curve.front().mpi)),
                    .title = title_of(curve),
                    .table = table_of(curve),
                    .launches = source.launches,
                    .command = fmt::format("hockney report {} --all", source.paths)};
    if (picture.table.rows.empty()) return;
    draw(picture, "paths", values_of(picture.table));
    pictures.push_back(std::move(picture));
  });
  return pictures;
}

namespace {

/// A value of an axis at one point, or at several points of a curve.
struct AxisCase {
  std::string value;
  std::string curve;  ///< inert; without its pair
  std::string place;  ///< inert: the curve, its size, and the values of the other axes
  std::optional<double> seconds;
  std::vector<double> ratios;  ///< to the base, of each point
  std::optional<Interval> interval;
};

/// Every value but the base, at every point.
std::vector<AxisCase> cases_of(const AxisTable& axis) {
  std::vector<AxisCase> cases;
  for (const AxisBlock& block : axis.blocks) {
    Point curve = block.point;
    curve.pair.clear();
    const std::string place =
        fmt::format("{}{}, {}", inert(curve_name(block.point)), places_text(block.others),
                    format_bytes(block.point.bytes));
    for (const AxisRow& row : block.rows) {
      if (!row.ratio) continue;
      cases.push_back({row.value,
                       inert(curve_name(curve)),
                       place,
                       row.row.median_seconds,
                       {*row.ratio},
                       row.ratio_interval});
    }
  }
  return cases;
}

/// The cases. If there are more than most_marks, those of a value and curve become one. Curves that
/// differ in memory, window, cache or anything but their pair stay apart.
std::vector<AxisCase> drawn_cases(const std::vector<AxisCase>& cases) {
  if (cases.size() <= most_marks) return cases;
  std::vector<AxisCase> combined;
  for (const AxisCase& each : cases) {
    auto found = std::ranges::find_if(combined, [&](const AxisCase& other) {
      return other.value == each.value && other.curve == each.curve;
    });
    if (found == combined.end()) {
      const std::string place = each.curve + ", all its points";
      found = combined.insert(found, {each.value, each.curve, place, {}, {}, {}});
    }
    found->ratios.push_back(each.ratios.front());
  }
  if (combined.size() > most_marks) combined.resize(most_marks);
  for (AxisCase& each : combined) {
    const auto [low, high] = std::ranges::minmax(each.ratios);
    each.interval = Interval{low, high, 1};
  }
  return combined;
}

/// Where points are put together, the ends are the least and the largest of their ratios.
View table_of(const std::vector<AxisCase>& cases, const AxisTable& axis) {
  const bool is_together =
      std::ranges::any_of(cases, [](const AxisCase& one) { return one.ratios.size() > 1; });
  const Columns<AxisCase> columns{
      {{"value", inert(axis.axis)}, &AxisCase::value},
      {{"point", "point"}, &AxisCase::place},
      {{"median_seconds", "time", Unit::seconds}, &AxisCase::seconds},
      {{"ratio", "time / " + inert(axis.base), Unit::number},
       [](const AxisCase& one) { return median_of_some(one.ratios); }},
      interval_column<AxisCase>(is_together ? "ratio_range" : "ratio_ci", Unit::number,
                                &AxisCase::interval, is_together ? "range" : "interval")};
  return make_view(columns, cases);
}

/// The median of each value over all points, in the order of values.
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

/// "By segment: 64K takes 0.83 times the time of default, 1K 1.10 times": the least and the most.
std::string title_of(const std::vector<std::pair<std::string, double>>& medians,
                     const AxisTable& axis) {
  const auto [least, most] =
      std::ranges::minmax(medians, {}, &std::pair<std::string, double>::second);
  const std::string name = inert(axis.axis);
  const std::string base = inert(axis.base);
  const std::string ratio = significant(least.second, 3);
  if (medians.size() == 1) {
    return fmt::format(words::value_of_axis, name, inert(least.first), ratio, base);
  }
  return fmt::format(words::values_of_axis, name, inert(least.first), ratio, base,
                     inert(most.first), significant(most.second, 3));
}

/// Times of several campaigns cannot be compared.
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
                    .title = title_of(medians, axis),
                    .table = table_of(drawn, axis),
                    .launches = source.launches,
                    .command = fmt::format("hockney report {} --by {}", source.paths, inert(name))};
    if (drawn.size() < cases.size()) {
      picture.caption +=
          fmt::format(words::put_together_by_value, count_text(cases.size(), "point"));
    }
    Json middles = Json::array();
    for (const auto& [value, ratio] : medians) {
      middles.push_back({{"value", inert(value)}, {"ratio", ratio}});
    }
    draw(picture, "axis_values", values_of(picture.table),
         {{"names", names_in(middles, "value")},
          {"medians", middles},
          {"base", inert(axis.base)},
          {"height", 70 + medians.size() * 30}});
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace hockney::report
