#include "driver/screens/curves.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/screens/answers.hpp"
#include "driver/screens/reliability.hpp"
#include "driver/screens/results.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t few_curves = 3;     // limits of models are printed up to this number
constexpr std::size_t most_curves = 16;   // fitted at most
constexpr std::size_t most_limits = 3;    // between segments of a model
constexpr std::size_t fewest_blocks = 4;  // fewest sizes that show a trend
constexpr std::size_t most_blocks = 12;

/// A single curve needs only its operation and hop class.
std::string label_of_one(const Row& row) {
  return escaped(row.point.operation + (row.point.hop ? " " + *row.point.hop : ""));
}

std::vector<CurvePoint> timed_points(std::span<const Row> rows) {
  std::vector<CurvePoint> points;
  for (const Row& row : rows) {
    if (!row.median_seconds) continue;
    points.push_back({.bytes = row.point.bytes,
                      .seconds = *row.median_seconds,
                      .interval = row.spread_seconds(),
                      .rate = row.bandwidth().value_or(BytesPerSecond{})});
  }
  return points;
}

void add_fits(std::vector<CurveSummary>& curves, Results& results) {
  if (curves.size() > most_curves) return;
  const models::FitSet& set = results.pair_fits();
  for (CurveSummary& curve : curves) {
    const Row& row = *curve.row;
    const auto is_same = [&](const models::Fit& fit) {
      return fit.setting == row.setting && curve_name(fit.point) == curve_name(row.point);
    };
    const auto found = std::ranges::find_if(set.fits, is_same);
    if (found != set.fits.end()) curve.fit = *found;
  }
}

std::string error_of_model(const CurveSummary& curve) {
  return curve.fit ? error_text(curve.fit->errors.mape, 1) : "";
}

std::string asymptotic_text(const CurveSummary& curve) {
  const auto rate = curve.fit ? models::asymptotic_bandwidth(*curve.fit) : std::nullopt;
  return rate ? short_rate(BytesPerSecond{*rate}) : "-";
}

/// The point that is slowest by its model, if by more than twice.
std::optional<Finding> point_off_model(const CurveSummary& curve) {
  constexpr double most = 2;
  if (!curve.fit) return std::nullopt;
  const auto ratio_of = [&](const CurvePoint& point) {
    const double model = models::predict_by_lines(*curve.fit, point.bytes).seconds;
    return model > 0 ? point.seconds / model : 0;
  };
  const CurvePoint& worst = *std::ranges::max_element(curve.points, {}, ratio_of);
  if (ratio_of(worst) <= most) return std::nullopt;
  return Finding{.what = fmt::format("{} at {} takes {} times its model", curve.label,
                                     format_bytes(worst.bytes), significant(ratio_of(worst), 2))};
}

/// "0.331 us (0.279 .. 0.370)", with the size if it differs between curves.
std::string first_time_text(const CurvePoint& point, bool with_size) {
  const std::string time = short_time(point.seconds, point.interval);
  return with_size ? fmt::format("{} at {}", time, format_bytes(point.bytes)) : time;
}

std::string peak_text(const CurveSummary& curve) {
  const CurvePoint& peak = curve.peak();
  if (peak.rate.value <= 0) return "-";
  return fmt::format("{} at {}", short_rate(peak.rate), format_bytes(peak.bytes));
}

/// Logarithms of the times in eight steps; many sizes are sampled at even ranks. Empty for curves
/// of few points.
std::string blocks_of(const std::vector<CurvePoint>& points) {
  constexpr std::array<const char*, 8> steps{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (points.size() < fewest_blocks) return {};
  const auto [low, high] = std::ranges::minmax(points, {}, &CurvePoint::seconds);
  const double least = std::log(low.seconds);
  const double range = std::log(high.seconds) - least;
  const std::size_t count = std::min(points.size(), most_blocks);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const CurvePoint& point = points[i * (points.size() - 1) / (count - 1)];
    const double part = range > 0 ? (std::log(point.seconds) - least) / range : 0;
    text += steps.at(static_cast<std::size_t>(std::lround(part * (steps.size() - 1))));
  }
  return text;
}

/// Adds a last column to the table of curves, below its header, if there is room.
void add_blocks(Lines& lines, const std::vector<CurveSummary>& curves, std::size_t columns) {
  const std::string header = "time by size";
  const auto has_blocks = [](const CurveSummary& curve) {
    return curve.points.size() >= fewest_blocks;
  };
  const std::size_t place = std::ranges::max(lines, {}, &std::string::size).size() + 2;
  if (std::ranges::none_of(curves, has_blocks) || place + most_blocks > columns) return;
  const auto add = [&](std::string& line, const std::string& text) {
    if (!text.empty()) line += std::string(place - line.size(), ' ') + text;
  };
  add(lines.front(), header);
  for (std::size_t i = 0; i < curves.size(); ++i) add(lines[i + 1], blocks_of(curves[i].points));
}

Lines table_of_curves(const std::vector<CurveSummary>& curves) {
  const Bytes first = curves.front().headline().bytes;
  const auto begins_there = [&](const CurveSummary& curve) {
    return curve.headline().bytes == first;
  };
  const auto is_pingpong = [](const CurveSummary& curve) {
    return curve.row->point.operation == "pingpong";
  };
  const auto has_interval = [](const CurveSummary& curve) {
    return curve.headline().interval.has_value();
  };
  const auto is_bundle = [](const CurveSummary& curve) {
    const auto& interval = curve.headline().interval;
    return interval && interval->level == 1;
  };
  const bool same_first = std::ranges::all_of(curves, begins_there);
  std::string time = std::ranges::all_of(curves, is_pingpong) ? "latency"
                     : same_first && first.value > 0          ? "time at " + format_bytes(first)
                                                              : "time";
  if (std::ranges::any_of(curves, is_bundle)) {
    time += " (range)";
  } else if (std::ranges::any_of(curves, has_interval)) {
    time += " (95 %)";
  }
  std::vector<std::vector<std::string>> rows{
      {"", time, "peak bandwidth", "asymptotic", "model error"}};
  for (const CurveSummary& curve : curves) {
    rows.push_back({curve.label, first_time_text(curve.headline(), !same_first), peak_text(curve),
                    asymptotic_text(curve), error_of_model(curve)});
  }
  constexpr std::size_t asymptotic = 3;
  const auto lacks = [](const auto& row) { return row[asymptotic] == "-"; };
  if (std::ranges::all_of(rows | std::views::drop(1), lacks)) {
    for (auto& row : rows) row.erase(row.begin() + asymptotic);
  }
  return columns_of(rows);
}

/// Names of the library's stated limits near a breakpoint, for variables of the proven path.
Names stated_near(const models::FittedBreakpoint& breakpoint,
                  const std::optional<std::string>& path, const Settings& settings) {
  Names names;
  const std::int64_t least = breakpoint.after.value;
  const std::int64_t most = std::max(least, breakpoint.before.value - 1);
  for (const StatedLimit& limit : stated_limits(settings, least, most)) {
    const bool is_of_tcp = limit.variable.find("tcp") != std::string::npos;
    if (path && is_of_tcp != (path == "tcp")) continue;
    names.add(fmt::format("{} {}", limit.variable, limit.value_bytes));
  }
  return names;
}

/// Name of a breakpoint of a curve's model. "eager limit" if limits were searched; else from the
/// library's settings, "near btl_vader_eager_limit 4096 (stated)". Empty if unknown.
std::string limit_text(const models::FittedBreakpoint& breakpoint, const CurveSummary& curve,
                       const Settings& settings) {
  if (breakpoint.names) return escaped(join(*breakpoint.names));
  const Names stated = stated_near(breakpoint, curve.row->point.path, settings);
  return stated.empty() ? "" : fmt::format("near {} (stated)", stated.text(2));
}

/// Settings of the first complete launch; empty without one.
Settings settings_of(std::span<const Record> records) {
  const auto found = std::ranges::find(records, LaunchStatus::complete, &Record::status);
  return found == records.end() ? Settings{} : found->provenance.mpi.settings;
}

/// A row for each limit between segments: "changes  at 4K  near btl_vader_eager_limit 4096".
std::vector<std::vector<std::string>> limit_rows(const CurveSummary& curve,
                                                 const Settings& settings) {
  std::vector<std::vector<std::string>> rows;
  if (!curve.fit) return rows;
  const models::Fit& fit = *curve.fit;
  for (std::size_t i = 0; i < fit.breakpoints.size() && rows.size() < most_limits; ++i) {
    const std::string limit = limit_text(fit.breakpoints[i], curve, settings);
    if (limit.empty()) continue;
    rows.push_back({curve.label + " changes",
                    fmt::format("after {}", format_bytes(fit.segments[i].to)), limit});
  }
  return rows;
}

/// Curves that differ only in their pair.
struct Alike {
  std::vector<const CurveSummary*> curves;
  std::string title;  ///< of each curve, without the pair
  std::string label;  ///< distinguishes them from all others
};

/// "l3" for "hop=l3": hop classes need no key.
std::string without_hop_key(std::string label) {
  constexpr std::string_view key = "hop=";
  const std::size_t at = label.starts_with(key) ? 0 : label.find(" " + std::string(key)) + 1;
  if (label.compare(at, key.size(), key) == 0) label.erase(at, key.size());
  return label;
}

std::string title_without_pair(const CurveSummary& curve) {
  Row row{.point = curve.row->point, .setting = curve.row->setting};
  row.point.pair.clear();
  return curve_title(row);
}

/// Groups in order of appearance.
std::vector<Alike> alike(std::span<const CurveSummary> curves) {
  std::vector<Alike> groups;
  for (const CurveSummary& curve : curves) {
    const std::string title = title_without_pair(curve);
    auto found = std::ranges::find(groups, title, &Alike::title);
    if (found == groups.end()) found = groups.insert(found, {{}, title, {}});
    found->curves.push_back(&curve);
  }
  const std::vector<std::string> labels = labels_of(strings_of(groups, &Alike::title));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Row& row = *groups[i].curves.front()->row;
    groups[i].label = groups.size() > 1 && !labels[i].empty() ? without_hop_key(labels[i])
                      : row.point.hop && groups.size() == 1   ? escaped(*row.point.hop)
                                                              : escaped(row.point.operation);
  }
  return groups;
}

CurvePoint middle_of(Bytes bytes, const std::vector<const CurvePoint*>& points) {
  std::vector<double> seconds;
  std::vector<double> rates;
  for (const CurvePoint* const point : points) {
    seconds.push_back(point->seconds);
    rates.push_back(point->rate.value);
  }
  const auto [low, high] = std::ranges::minmax(seconds);
  return {.bytes = bytes,
          .seconds = median_of_some(seconds),
          .interval = Interval{low, high, 1},
          .rate = BytesPerSecond{median_of_some(rates)}};
}

/// The median of several curves; a single curve is only relabelled.
CurveSummary bundle_of(const Alike& group) {
  CurveSummary made = *group.curves.front();
  made.label = group.label;
  if (group.curves.size() == 1) return made;
  std::map<Bytes, std::vector<const CurvePoint*>> by_size;
  for (const CurveSummary* const curve : group.curves) {
    for (const CurvePoint& point : curve->points) by_size[point.bytes].push_back(&point);
  }
  made.points.clear();
  for (const auto& [bytes, points] : by_size) made.points.push_back(middle_of(bytes, points));
  made.label += fmt::format(" ({})", count_text(group.curves.size(), "curve"));
  made.fit.reset();
  return made;
}

/// The curves; if there are many, those that differ only in their pair are bundled.
std::vector<CurveSummary> shown_curves(const std::vector<CurveSummary>& curves) {
  if (curves.size() <= most_curves) return curves;
  std::vector<CurveSummary> reported;
  for (const Alike& group : alike(curves)) reported.push_back(bundle_of(group));
  return reported;
}

Lines curve_lines(const std::vector<CurveSummary>& curves, const Settings& settings,
                  const ScreenStyle& style) {
  Lines lines = table_of_curves(curves);
  if (style.blocks) add_blocks(lines, curves, style.columns);
  if (curves.size() > few_curves) return lines;
  std::vector<std::vector<std::string>> limits;
  for (const CurveSummary& curve : curves) {
    std::ranges::move(limit_rows(curve, settings), std::back_inserter(limits));
  }
  if (limits.empty()) return lines;
  lines.emplace_back();
  std::ranges::move(columns_of(limits), std::back_inserter(lines));
  return lines;
}

std::vector<SummaryRow> values_of(const CurveSummary& curve) {
  constexpr double gigabytes = 1e-9;
  const CurvePoint& first = curve.headline();
  std::optional<Interval> interval = first.interval;
  if (interval) interval->low *= microseconds, interval->high *= microseconds;
  const bool is_pingpong = curve.row->point.operation == "pingpong";
  std::vector<SummaryRow> rows{{.label = curve.label + (is_pingpong ? " latency" : " time"),
                                .value = first.seconds * microseconds,
                                .interval = interval,
                                .unit = "us",
                                .mark = "at " + format_bytes(first.bytes)}};
  const CurvePoint& peak = curve.peak();
  if (peak.rate.value <= 0) return rows;
  rows.push_back({.label = curve.label + " peak bandwidth",
                  .value = peak.rate.value * gigabytes,
                  .interval = {},
                  .unit = "GB/s",
                  .mark = "at " + format_bytes(peak.bytes)});
  const auto rate = curve.fit ? models::asymptotic_bandwidth(*curve.fit) : std::nullopt;
  if (!rate) return rows;
  rows.push_back({.label = curve.label + " asymptotic bandwidth",
                  .value = *rate * gigabytes,
                  .interval = {},
                  .unit = "GB/s",
                  .mark = {}});
  return rows;
}

/// Headline time and highest bandwidth of up to three curves.
std::string curves_verdict(std::span<const CurveSummary> curves, std::span<const Row> rows) {
  std::vector<std::string> parts;
  bool has_interval = false;
  for (const CurveSummary& curve : curves.first(std::min(curves.size(), few_curves))) {
    std::string part = fmt::format("{} {}", curve.label, first_time_text(curve.headline(), true));
    if (curve.peak().rate.value > 0) part += ", " + peak_text(curve);
    parts.push_back(std::move(part));
    const auto& interval = curve.headline().interval;
    has_interval = has_interval || (interval && interval->level < 1);
  }
  return join(parts, "; ") + (has_interval ? "" : "; " + interval_words(rows));
}

}  // namespace

const CurvePoint& CurveSummary::peak() const {
  return *std::ranges::max_element(points, {}, &CurvePoint::rate);
}

const CurvePoint& CurveSummary::headline() const {
  if (row->point.operation == "pingpong") return points.front();
  const auto found =
      std::ranges::find_if(points, [](const CurvePoint& point) { return point.bytes.value > 0; });
  return found == points.end() ? points.front() : *found;
}

std::vector<CurveSummary> curve_summaries(Results& results) {
  const std::vector<Row>& rows = results.shown_rows();
  std::vector<CurveSummary> curves;
  std::vector<std::string> names;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const Row& row) { return same_curve(*first, row); });
    std::vector<CurvePoint> points = timed_points({first, last});
    if (!points.empty()) {
      curves.push_back({.row = &*first, .points = std::move(points), .label = {}, .fit = {}});
      names.push_back(curve_title(*first));
    }
    first = last;
  }
  if (curves.empty()) return curves;
  const std::vector<std::string> labels = labels_of(names);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Row& row = *curves[i].row;
    curves[i].label = curves.size() == 1  ? label_of_one(row)
                      : labels[i].empty() ? escaped(row.point.operation)
                                          : labels[i];
  }
  add_fits(curves, results);
  return curves;
}

void add_curves(Screen& screen, Results& results, const ScreenStyle& style) {
  const std::vector<CurveSummary> curves = shown_curves(results.curves());
  if (curves.empty()) {
    screen.verdict = nothing_words(results.shown_rows());
    screen.answer = {screen.verdict};
    return;
  }
  screen.answer = curve_lines(curves, settings_of(results.records()), style);
  screen.verdict = curves_verdict(curves, results.shown_rows());
  for (const CurveSummary& curve : curves) {
    std::ranges::move(values_of(curve), std::back_inserter(screen.rows));
    if (auto found = point_off_model(curve)) screen.findings.push_back(std::move(*found));
  }
}

}  // namespace hockney::report
