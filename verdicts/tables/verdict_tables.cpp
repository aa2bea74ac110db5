#include "verdicts/tables/verdict_tables.hpp"

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/faults.hpp"
#include "core/json_values.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of notes.
namespace words {

constexpr std::string_view row_too_few_launches =
    "  note: {}{} are too few to show any difference (smallest p {}{}); {} launches a side needed";
constexpr std::string_view launches_that_show =
    "  note: launches a side that would show such a ratio four times of five: {}";
constexpr std::string_view crossing =
    "    from {} bytes on {} is faster, {} over {} pairs of launches (verdicts change between {} "
    "and {})\n";
constexpr std::string_view comparison_family =
    "\ninterval of B/A: of all points together, by the test of the verdict; alone: of this point "
    "by itself\n"
    "family: {}, p {}, alpha {}{}; no evidence: these launches do not show that B differs, nor "
    "that it is equal\n";
constexpr std::string_view differences_above = ", differences of more than {} %";
constexpr std::string_view of_means =
    "note: means of all samples are compared, disturbed ones too, as imported results are means\n";
constexpr std::string_view measured_apart =
    "note: A and B were measured apart, so drift of the machine is part of the difference; "
    "settings of one campaign take turns\n";
constexpr std::string_view not_compared =
    "\nnot compared: {} (no setting with {} is like it otherwise)\n";

constexpr std::string_view self_test = "self-test of {} launches, in campaigns of {}";
constexpr std::string_view clock_errors =
    "  error of these syncs (truth: 0): median {}, largest {}; their bound: median {}";
constexpr std::string_view alone =
    "  each comparison at 5 % alone; intervals: 95 %, as if comparisons were independent";

}  // namespace words

constexpr double smallest_shown_p = 1e-4;

std::string p_text(double p) { return p < smallest_shown_p ? "<0.0001" : significant(p, p_digits); }

std::string launches_text(const verdicts::Comparison& row) {
  return row.design == verdicts::Design::paired
             ? count_text(row.a.launches, "pair")
             : fmt::format("{} + {}", row.a.launches, row.b.launches);
}

/// A number without trailing zeros: 5, 2.5.
std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

void print_side(std::ostream& out, char name, const verdicts::ComparedSide& side) {
  out << name << ": " << (side.source.empty() ? "records" : escaped(side.source));
  if (!side.setting.empty()) out << ", setting " << escaped(side.setting);
  // Libraries append long descriptions after a comma.
  if (!side.mpi_library.empty()) out << ", " << escaped(split(side.mpi_library, ',').front());
  out << ", " << text_of(LaunchCount{side.launches, side.nodes});
  if (side.launches_left_out > 0) {
    out << " (" << side.launches_left_out << " interrupted or failed left out)";
  }
  out << '\n';
}

/// The interval beside the verdict; "alone" if it holds for this point only.
std::string ratio_interval_text(const verdicts::Comparison& row) {
  return interval_text(row.interval(), 1, ratio_digits) + (row.interval_is_alone() ? " alone" : "");
}

/// A comparison, and the names of its sides.
struct ComparedRow {
  const verdicts::Comparison* row;
  std::string a;
  std::string b;
};

/// Columns of one side: launches, time and path. `name` is "a" or "b".
Columns<ComparedRow> columns_of_side(const std::string& name, const std::string& title,
                                     verdicts::Absolute verdicts::Comparison::*side) {
  using Row = ComparedRow;
  return joined<Row>(
      {{{{name + "_launches", "", Unit::count, Form::csv},
         [=](const Row& each) { return (each.row->*side).launches; }},
        {{name + "_median_seconds", title, Unit::micros},
         [=](const Row& each) { return (each.row->*side).median_seconds; }},
        interval_column<Row>(name + "_ci_seconds", Unit::micros,
                             [=](const Row& each) { return (each.row->*side).interval_seconds; }),
        {{name + "_ci_level", "", Unit::number, Form::json},
         [=](const Row& each) { return level_of((each.row->*side).interval_seconds); }},
        {{name + "_path", "path of " + title, Unit::text, row_forms},
         [=](const Row& each) { return (each.row->*side).path; }}}});
}

Columns<ComparedRow> columns_of_compared_ratio() {
  using Row = ComparedRow;
  return {
      {{"ratio", "B/A", Unit::number}, [](const Row& each) { return each.row->ratio; }},
      {{"ratio_ci", "", Unit::number, Form::csv, "", true},
       [](const Row& each) { return each.row->interval(); }},
      {{"ratio_ci", "", Unit::number, Form::json, "", true},
       [](const Row& each) { return each.row->ratio_interval; }},
      {{"ratio_ci_level", "", Unit::number, Form::json},
       [](const Row& each) { return level_of(each.row->ratio_interval); }},
      {{"ratio_ci_family", "", Unit::number, Form::json, "", true},
       [](const Row& each) { return each.row->family_interval; }},
      {{"ratio_ci", "interval", Unit::text, Form::terminal},
       [](const Row& each) { return ratio_interval_text(*each.row); }},
      {{"p", "", Unit::number, Form::json}, [](const Row& each) { return each.row->p; }},
      {{"smallest_p", "", Unit::number, Form::json},
       [](const Row& each) { return each.row->smallest_p; }},
      {{"p_adjusted", "p", Unit::number, machine_forms},
       [](const Row& each) { return each.row->p_adjusted; }},
      {{"p", "p", Unit::text, Form::terminal},
       [](const Row& each) { return p_text(each.row->p_adjusted); }},
      {{"verdict", "B is", Unit::text}, [](const Row& each) { return each.row->verdict; }},
      {{"reason", "", Unit::text, Form::json}, [](const Row& each) { return each.row->reason; }},
      {{"launches_needed", "", Unit::count, Form::json},
       [](const Row& each) { return each.row->launches_needed; }}};
}

Columns<ComparedRow> comparison_columns() {
  using Row = ComparedRow;
  return joined<Row>(
      {of_part<Row, Point>(point_columns(Form::csv),
                           [](const Row& each) -> const Point& { return each.row->point; }),
       {{{"operation", "", Unit::text, Form::json},
         [](const Row& each) { return each.row->point.operation; }},
        {{"a", "", Unit::text, Form::csv}, &Row::a},
        {{"b", "", Unit::text, Form::csv}, &Row::b},
        {{"size", "size", Unit::size, Form::terminal},
         [](const Row& each) { return each.row->point.bytes.value; }},
        {{"design", "", Unit::text, machine_forms},
         [](const Row& each) { return each.row->design; }},
        {{"launches", "launches", Unit::text, Form::terminal},
         [](const Row& each) { return launches_text(*each.row); }}},
       columns_of_side("a", "A", &verdicts::Comparison::a),
       columns_of_side("b", "B", &verdicts::Comparison::b),
       columns_of_compared_ratio()});
}

/// Printed once for a curve, since its sizes usually have the same launches.
std::string shortage_text(const verdicts::Comparison& row, const verdicts::CompareSet& set) {
  const bool is_multiplied = set.options.correction == verdicts::Correction::holm && set.family > 1;
  return fmt::format(words::row_too_few_launches, launches_text(row),
                     row.design == verdicts::Design::paired ? "" : " launches",
                     p_text(row.smallest_p),
                     is_multiplied ? fmt::format(" times {} points", set.family) : "",
                     row.launches_needed.value_or(0));
}

/// The notes below a curve.
struct CurveNotes {
  std::string shortage;
  std::vector<std::string> wanted;  ///< launches that would show the open differences, by size

  void add(const verdicts::Comparison& row, const verdicts::CompareSet& set) {
    if (!row.launches_needed) return;
    if (row.reason == verdicts::NoEvidence::too_few_launches) {
      shortage = shortage_text(row, set);
    } else {
      wanted.push_back(
          fmt::format("{} at {}", *row.launches_needed, format_bytes(row.point.bytes)));
    }
  }

  void put_into(View& view) const {
    if (!shortage.empty()) view.add_text(shortage);
    if (!wanted.empty()) view.add_text(fmt::format(words::launches_that_show, join(wanted)));
  }
};

/// Appends the comparisons of a set, each curve with its name before and notes after it.
void add_rows(View& view, const Columns<ComparedRow>& columns, const verdicts::CompareSet& set,
              const std::string& a, const std::string& b) {
  std::string curve;
  CurveNotes notes;
  for (const verdicts::Comparison& row : set.comparisons) {
    const std::string name = curve_name(row.point);
    if (name != curve) {
      notes.put_into(view);
      notes = {};
      view.add_section(escaped(name));
      curve = name;
    }
    view.rows.push_back(row_of(columns, ComparedRow{&row, a, b}));
    notes.add(row, set);
  }
  notes.put_into(view);
}

std::string name_of(const verdicts::ComparedSide& side) {
  return side.source + (side.setting.empty() ? "" : ":" + side.setting);
}

std::string on_axis(const verdicts::AxisCompareSet& set, const std::string& value) {
  return fmt::format("{}={}", set.axis, value);
}

using Json = nlohmann::json;

Json comparison_json(const Columns<ComparedRow>& columns, const verdicts::Comparison& row) {
  Json json = json_of(columns, ComparedRow{&row, "", ""});
  json["point"] = point_json(row.point);
  json["launches"] = {row.a.launches, row.b.launches};
  json["pairs"] = {row.a.pairs, row.b.pairs};
  json["paths"] = {row.a.path, row.b.path};
  return json;
}

Json lone_json(const verdicts::LonePoint& lone) {
  return {{"operation", lone.point.operation},
          {"point", point_json(lone.point)},
          {"reason", lone.absence},
          {"detail", filled_or_null(lone.detail)}};
}

Json crossing_json(const verdicts::Crossing& crossing) {
  return {{"bytes", crossing.bytes},
          {"bytes_ci", crossing.interval_bytes},
          {"bytes_ci_level", level_of(crossing.interval_bytes)},
          {"between_bytes", {crossing.from, crossing.to}},
          {"b_above", crossing.above == verdicts::Winner::b ? "faster" : "slower"},
          {"launches", crossing.launches}};
}

/// `bytes` and its interval are set if the curve has exactly one crossing.
Json crossover_json(const verdicts::Crossover& crossover) {
  Json point = point_json(crossover.point);
  point.erase("bytes");
  point.erase("path");
  const Json crossings = array_json(crossover.crossings, crossing_json);
  Json json{{"operation", crossover.point.operation},
            {"point", point},
            {"reason", filled_or_null(crossover.reason)},
            {"crossings", crossings}};
  for (const char* const key : {"bytes", "bytes_ci", "bytes_ci_level"}) {
    json[key] = crossings.size() == 1 ? crossings[0][key] : Json(nullptr);
  }
  return json;
}

Json side_json(const verdicts::ComparedSide& side) {
  return {{"source", filled_or_null(side.source)},
          {"setting", filled_or_null(side.setting)},
          {"mpi_library", filled_or_null(side.mpi_library)},
          {"launches", side.launches},
          {"nodes", side.nodes > 0 ? Json(side.nodes) : Json()},
          {"launches_left_out", side.launches_left_out}};
}

std::string absence_text(const verdicts::LonePoint& lone) {
  const std::string detail = lone.detail.empty() ? "" : ": " + escaped(lone.detail);
  if (lone.absence == verdicts::Absence::not_planned) return "not planned" + detail;
  return (lone.absence == verdicts::Absence::not_measured ? "not measured" : "no time") + detail;
}

std::string place_text(const verdicts::LonePoint& lone) {
  return fmt::format("{} {}", escaped(curve_name(lone.point)), format_bytes(lone.point.bytes));
}

void print_lone(std::ostream& out, const std::string& title, const std::string& lacking,
                const std::vector<verdicts::LonePoint>& points) {
  if (points.empty()) return;
  out << '\n' << title << '\n';
  for (const verdicts::LonePoint& lone : points) {
    out << fmt::format("  {} ({}: {})\n", place_text(lone), lacking, absence_text(lone));
  }
}

std::string size_text(double bytes) {
  return format_bytes({whole_number<std::int64_t>(std::floor(bytes))});
}

void print_crossing(std::ostream& out, const verdicts::Crossing& crossing) {
  const auto& interval = crossing.interval_bytes;
  out << fmt::format(words::crossing, significant(crossing.bytes),
                     crossing.above == verdicts::Winner::b ? "B" : "A",
                     interval ? fmt::format("interval {} .. {}", size_text(interval->low),
                                            size_text(interval->high))
                              : "no interval",
                     crossing.launches, format_bytes(crossing.from), format_bytes(crossing.to));
}

/// Prints crossovers for settings of one campaign, whose launches are paired.
void print_crossovers(std::ostream& out, const verdicts::CompareSet& set) {
  if (set.options.origin != verdicts::Origin::one_campaign || set.crossovers.empty()) return;
  out << "\ncrossovers\n";
  for (const verdicts::Crossover& crossover : set.crossovers) {
    out << "  " << escaped(curve_name(crossover.point));
    out << (crossover.reason.empty() ? "" : ": " + escaped(crossover.reason)) << '\n';
    for (const verdicts::Crossing& crossing : crossover.crossings) print_crossing(out, crossing);
  }
}

/// Prints crossovers and points that lack a side.
void print_rest(std::ostream& out, const verdicts::CompareSet& set) {
  print_crossovers(out, set);
  print_lone(out, "only in A", "B", set.only_in_a);
  print_lone(out, "only in B", "A", set.only_in_b);
  print_lone(out, "in neither", "A", set.in_neither);
}

/// Prints the last line: `size` points were judged together.
void print_family(std::ostream& out, std::size_t size, const verdicts::CompareOptions& options) {
  const double least = options.at_least;
  out << fmt::format(words::comparison_family, count_text(size, "point"),
                     describe(options.correction), plain(options.alpha),
                     least > 0 ? fmt::format(words::differences_above, plain(100 * least)) : "");
}

/// A rate that a self-test measures.
struct TestedRate {
  std::string what;
  verdicts::Rate rate;
  std::optional<double> ratio{};  ///< median of the ratios B/A found
};

std::string name_of(const verdicts::VariantVerdicts& verdicts) {
  if (verdicts.planted == 0) return "false alarms (only the name differs)";
  return fmt::format("power, {} % slower", significant(per_cent * verdicts.planted, 3));
}

std::vector<TestedRate> rates_of(const verdicts::SelfTest& test) {
  std::vector<TestedRate> rates;
  for (const verdicts::VariantVerdicts& verdicts : test.variants) {
    rates.push_back({name_of(verdicts), verdicts.different, verdicts.ratio});
    if (verdicts.any.trials > 0) rates.push_back({"  any point, judged jointly", verdicts.any});
  }
  rates.push_back({"coverage, launches at random", test.covered_at_random});
  rates.push_back({"coverage, consecutive launches", test.covered_in_blocks});
  if (test.clock.truth) {
    rates.push_back({"clock syncs within their bound", test.clock.truth->within});
  }
  return rates;
}

Columns<TestedRate> columns_of_rates() {
  using Row = TestedRate;
  return joined<Row>(
      {{{{"what", "measured"}, &Row::what},
        {{"hits", "", Unit::count, Form::csv}, [](const Row& each) { return each.rate.hits; }},
        {{"trials", "", Unit::count, Form::csv}, [](const Row& each) { return each.rate.trials; }},
        {{"found", "found", Unit::text, Form::terminal},
         [](const Row& each) { return fmt::format("{}/{}", each.rate.hits, each.rate.trials); }},
        {{"share", "share", Unit::share}, [](const Row& each) { return each.rate.share(); }},
        interval_column<Row>("share_ci", Unit::share,
                             [](const Row& each) { return each.rate.interval(); }),
        {{"median_ratio", "median ratio", Unit::number}, &Row::ratio}}});
}

/// A time with its unit; "-" if unknown.
std::string clock_time_text(const std::optional<double>& seconds) {
  return seconds ? significant(nanoseconds * *seconds, 3) + " ns" : "-";
}

std::string clock_text(const verdicts::ClockVerdict& clock) {
  if (!clock.truth) return "  clock not tested: " + escaped(clock.reason);
  return fmt::format(words::clock_errors, clock_time_text(clock.truth->median_error_seconds),
                     clock_time_text(clock.truth->largest_error_seconds),
                     clock_time_text(clock.truth->median_bound_seconds));
}

}  // namespace

View view_of(const verdicts::CompareSet& set) {
  const Columns<ComparedRow> columns = comparison_columns();
  View view = make_view(columns, {});
  add_rows(view, columns, set, name_of(set.a), name_of(set.b));
  return view;
}

View view_of(const verdicts::AxisCompareSet& set) {
  const Columns<ComparedRow> columns = comparison_columns();
  View view = make_view(columns, {});
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    const std::string a = on_axis(set, set.base);
    const std::string b = on_axis(set, comparison.value);
    const std::string others = places_text(comparison.others);
    view.add_section(fmt::format("A: {}; B: {}{}", escaped(a), escaped(b), others));
    add_rows(view, columns, comparison.set, a + others, b + others);
  }
  return view;
}

Json to_json(const verdicts::CompareSet& set) {
  const Columns<ComparedRow> columns = comparison_columns();
  return {{"schema", compare_schema},
          {"a", side_json(set.a)},
          {"b", side_json(set.b)},
          {"interleaved", set.options.origin == verdicts::Origin::one_campaign},
          {"figure", set.of_means ? "mean" : "median"},
          {"comparisons", array_json(set.comparisons,
                                     [&](const verdicts::Comparison& row) {
                                       return comparison_json(columns, row);
                                     })},
          {"crossovers", array_json(set.crossovers, crossover_json)},
          {"family",
           {{"size", set.family},
            {"correction", set.options.correction},
            {"alpha", set.options.alpha},
            {"at_least", set.options.at_least}}},
          {"only_in_a", array_json(set.only_in_a, lone_json)},
          {"only_in_b", array_json(set.only_in_b, lone_json)},
          {"in_neither", array_json(set.in_neither, lone_json)},
          {"oversubscribed", filled_or_null(set.oversubscribed)},
          {"faults", set.faults}};
}

Json to_json(const verdicts::AxisCompareSet& set) {
  Json values = Json::array();
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    Json value = to_json(comparison.set);
    value.erase("schema");
    for (const char* const of_all : {"faults", "oversubscribed"}) value.erase(of_all);
    value["value"] = comparison.value;
    value["others"] = comparison.others;
    values.push_back(std::move(value));
  }
  return {{"schema", compare_axis_schema},
          {"axis", set.axis},
          {"base", set.base},
          {"values", values},
          {"alone", set.alone},
          {"oversubscribed", filled_or_null(set.oversubscribed)},
          {"faults", set.faults}};
}

std::string lone_text(const std::string& title, std::span<const verdicts::LonePoint> points) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> names;
  for (const verdicts::LonePoint& lone : points.first(std::min(most_named, points.size()))) {
    names.push_back(fmt::format("{} ({})", place_text(lone), absence_text(lone)));
  }
  const std::size_t more = points.size() - names.size();
  return fmt::format("{}: {}{}", title, join(names),
                     more > 0 ? " and " + count_text(more, "more point") : "");
}

void print_compare_table(std::ostream& out, const verdicts::CompareSet& set) {
  print_side(out, 'A', set.a);
  print_side(out, 'B', set.b);
  if (set.options.origin == verdicts::Origin::apart) out << words::measured_apart;
  if (set.of_means) out << words::of_means;
  out << '\n';
  print_view(out, "", view_of(set));
  print_rest(out, set);
  print_family(out, set.family, set.options);
}

void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set) {
  print_view(out, "", view_of(set));
  for (const verdicts::AxisComparison& comparison : set.comparisons) {
    std::ostringstream rest;
    print_rest(rest, comparison.set);
    if (rest.view().empty()) continue;
    out << fmt::format("\nB: {}{}\n{}", escaped(on_axis(set, comparison.value)),
                       places_text(comparison.others), rest.view());
  }
  if (!set.alone.empty()) {
    out << fmt::format(words::not_compared, escaped(on_axis(set, join(set.alone))),
                       escaped(on_axis(set, set.base)));
  }
  print_family(out, set.family, set.options);
}

View view_of(const verdicts::SelfTest& test) {
  View view = make_view(columns_of_rates(), rates_of(test));
  view.add_text(clock_text(test.clock));
  view.add_text(std::string(words::alone));
  return view;
}

std::string self_test_verdict(const verdicts::SelfTest& test) {
  return join(strings_of(rates_of(test),
                         [](const TestedRate& each) {
                           return fmt::format("{} {}/{}",
                                              each.what.substr(each.what.find_first_not_of(' ')),
                                              each.rate.hits, each.rate.trials);
                         }),
              "; ");
}

void print_self_test(std::ostream& out, const verdicts::SelfTest& test) {
  print_view(out, fmt::format(words::self_test, test.launches, test.launches_each), view_of(test));
}

}  // namespace hockney::report
