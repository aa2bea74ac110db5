#include "models/tables/fit_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_values.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_json.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"

namespace hockney::report {

std::string model_title(const Point& point, const std::string& setting) {
  return escaped(curve_name(point) + (setting.empty() ? "" : " setting=" + setting));
}

namespace {

/// Sentences of headings and notes.
namespace words {

constexpr std::string_view fit_without_interval = "no interval ({}; {} needed)";
constexpr std::string_view no_interval_at_some_sizes =
    "no interval where fewer than {} launches have half of the sizes";

constexpr std::string_view curve_errors =
    "  error: mean {}, max {}, held-out sizes {}, held-out launches {}; noise floor {}";
constexpr std::string_view breakpoints_of_one_launch =
    "breakpoints rest on one launch (nothing shows that they recur)";
constexpr std::string_view breakpoints_rejected =
    "not accepted as breakpoints, recurring in too few halves of the launches: {}";
constexpr std::string_view medians_missing = "{} of {} launch medians are missing";
constexpr std::string_view lines_off_but_curve =
    "alpha and beta are off by more than {} x the noise floor at {} B; predictions follow a curve "
    "through the sizes, held-out sizes {}";
constexpr std::string_view lines_off =
    "alpha and beta are off by more than {} x the noise floor at {} B; measure more sizes for a "
    "curve";
constexpr std::string_view curve_not_fitted =
    "{}: not fitted ({}: {}; {} needed) measure more sizes";
constexpr std::string_view records_left_out = "note: {} left out (interrupted or failed launches)";

constexpr std::string_view loggp_at = "{}: {}, o_s, o_r, L and g at {} B";
constexpr std::string_view loggp_error = "  largest error over the sizes measured: {} %";

}  // namespace words

using Json = nlohmann::json;

std::string percent_text(const std::optional<double>& fraction) { return error_text(fraction, 1); }

/// 1/beta [MB/s]: the ends are exchanged. An end of beta that is not positive gives "unbounded".
std::string bandwidth_interval(const std::optional<Interval>& beta) {
  if (!beta) return "-";
  const auto end = [](double slope) {
    return slope > 0 ? significant(scale_of(Unit::byte_rate) / slope) : std::string("unbounded");
  };
  return fmt::format("{} .. {}", end(beta->high), end(beta->low));
}

/// If alpha is at its bound in all launches, no line fits there: the interval is unknown, not zero.
std::string alpha_interval(const std::optional<Interval>& alpha) {
  if (alpha && alpha->low == 0 && alpha->high == 0) return "at its bound";
  return interval_text(alpha, microseconds);
}

/// The columns that name the curve; `bytes` of its point is unused.
Columns<models::Fit> columns_of_curves() {
  using Row = models::Fit;
  Columns<Row> point = of_part<Row>(point_columns(Form::csv), &Row::point);
  std::erase_if(point, [](const Column<Row>& column) { return column.heading.key == "bytes"; });
  return joined<Row>({point,
                      {{{"operation", "", Unit::text, Form::json},
                        [](const Row& row) { return row.point.operation; }},
                       {{"setting", "", Unit::text, machine_forms},
                        [](const Row& row) { return known_text(row.setting); }},
                       {{"host", "", Unit::text, machine_forms},
                        [](const Row& row) { return known_text(host_of(row.point)); }},
                       {{"mpi_library", "", Unit::text, machine_forms},
                        [](const Row& row) { return known_text(row.mpi_library); }},
                       {{"model", "", Unit::text, machine_forms}, &Row::model},
                       {{"launches", "", Unit::count, machine_forms}, &Row::launches},
                       {{"pairs", "", Unit::count, Form::json}, &Row::pairs},
                       {{"sizes", "", Unit::count, Form::json}, &Row::sizes},
                       {{"missing_cells", "", Unit::count, Form::json}, &Row::missing_cells}}});
}

/// `value` / beta; nullopt for a line without slope.
std::optional<double> per_beta(const models::Line& line, double value) {
  const double beta = line.beta_seconds_per_byte;
  return beta > 0 ? std::optional(value / beta) : std::nullopt;
}

Columns<models::Segment> columns_of_lines() {
  using Row = models::Segment;
  const auto half_bandwidth = [](const Row& row) {
    return per_beta(row.line, row.line.alpha_seconds);
  };
  return {{{"from_bytes", "from", Unit::size}, [](const Row& row) { return row.from.value; }},
          {{"to_bytes", "to", Unit::size}, [](const Row& row) { return row.to.value; }},
          {{"alpha_seconds", "alpha", Unit::micros},
           [](const Row& row) { return row.line.alpha_seconds; }},
          {{"alpha_ci_seconds", "", Unit::micros, machine_forms, "", true}, &Row::alpha_seconds},
          {{"ci_level", "", Unit::number, Form::json},
           [](const Row& row) { return level_of(row.alpha_seconds); }},
          {{"alpha_ci", "interval", Unit::text, Form::terminal},
           [](const Row& row) { return alpha_interval(row.alpha_seconds); }},
          {{"bandwidth_bytes_per_second", "1/beta", Unit::byte_rate},
           [](const Row& row) { return per_beta(row.line, 1); }},
          {{"bandwidth_ci", "interval", Unit::text, Form::terminal},
           [](const Row& row) { return bandwidth_interval(row.beta_seconds_per_byte); }},
          {{"beta", "beta [ns/B]", Unit::number, Form::terminal},
           [](const Row& row) { return row.line.beta_seconds_per_byte * nanoseconds; }},
          {{"beta_seconds_per_byte", "", Unit::number, machine_forms},
           [](const Row& row) { return row.line.beta_seconds_per_byte; }},
          {{"beta_ci_seconds_per_byte", "", Unit::number, machine_forms, "", true},
           &Row::beta_seconds_per_byte},
          {{"half_bandwidth_bytes", "n_half [B]", Unit::number, row_forms}, half_bandwidth},
          {{"n_half_bytes", "", Unit::number, Form::json}, half_bandwidth}};
}

Columns<models::Fit> columns_of_errors() {
  using Row = models::FitErrors;
  Columns<models::Fit> columns = of_part<models::Fit, Row>(
      {{{"mape", "", Unit::share, machine_forms}, &Row::mape},
       {{"max_relative_error", "", Unit::share, machine_forms}, &Row::maximum},
       {{"held_out_mape", "", Unit::share, machine_forms}, &Row::held_out},
       {{"held_out_launch_mape", "", Unit::share, Form::json}, &Row::held_out_launch}},
      &models::Fit::errors);
  columns.push_back({{"noise_floor", "", Unit::share, machine_forms}, &models::Fit::noise_floor});
  return columns;
}

/// A segment and its fit.
struct FittedSegment {
  const models::Fit* fit;
  const models::Segment* segment;
};

Columns<FittedSegment> columns_of_segments() {
  using Row = FittedSegment;
  const auto fit = [](const Row& row) -> const models::Fit& { return *row.fit; };
  return joined<Row>(
      {of_part<Row>(columns_of_curves(), fit),
       of_part<Row>(
           columns_of_lines(), [](const Row& row) -> const auto& { return *row.segment; }),
       of_part<Row>(columns_of_errors(), fit)});
}

std::string places(const std::vector<models::FittedBreakpoint>& breakpoints) {
  std::vector<std::string> parts;
  for (const models::FittedBreakpoint& breakpoint : breakpoints) {
    std::string part =
        fmt::format("{}..{}", format_bytes(breakpoint.after), format_bytes(breakpoint.before));
    if (breakpoint.recurrence) {
      part += fmt::format(" ({})", percent_text(breakpoint.recurrence));
    }
    if (const auto& names = breakpoint.names) {
      part += names->empty() ? " unexplained" : " = " + escaped(join(*names, ", "));
    }
    parts.push_back(part);
  }
  return join(parts, "; ");
}

std::string few_launches_text(std::size_t launches) {
  const std::size_t needed = samples_for_interval();
  return launches < needed
             ? fmt::format(words::fit_without_interval, count_text(launches, "launch"), needed)
             : fmt::format(words::no_interval_at_some_sizes, needed);
}

std::string warning_text(const models::Fit& fit, models::FitWarning warning) {
  switch (warning) {
    case models::FitWarning::few_launches:
      return few_launches_text(fit.launches);
    case models::FitWarning::unconfirmed_breakpoints:
      return std::string(words::breakpoints_of_one_launch);
    case models::FitWarning::rejected_breakpoints:
      return fmt::format(words::breakpoints_rejected, places(fit.rejected));
    case models::FitWarning::missing_cells:
      return fmt::format(words::medians_missing, fit.missing_cells, fit.launches * fit.sizes);
    case models::FitWarning::lines_off:
      const std::string most = significant(models::most_noise_floors, 1);
      const std::string sizes = join(strings_of(fit.errors.off, format_bytes));
      return fit.curve_held_out ? fmt::format(words::lines_off_but_curve, most, sizes,
                                              percent_text(fit.curve_held_out))
                                : fmt::format(words::lines_off, most, sizes);
  }
  return {};
}

void add_notes(View& view, const models::Fit& fit) {
  const models::FitErrors& errors = fit.errors;
  view.add_text(fmt::format(words::curve_errors, percent_text(errors.mape),
                            percent_text(errors.maximum), percent_text(errors.held_out),
                            percent_text(errors.held_out_launch), percent_text(fit.noise_floor)));
  if (!fit.breakpoints.empty()) view.add_text("  breakpoints: " + places(fit.breakpoints));
  for (const models::FitWarning warning : warnings(fit)) {
    view.add_text("  note: " + warning_text(fit, warning));
  }
}

void add_failure(View& view, const models::FitFailure& failure) {
  const std::vector<std::string> sizes = strings_of(failure.sizes, format_bytes);
  view.add_section(fmt::format(words::curve_not_fitted, model_title(failure.point, failure.setting),
                               count_text(sizes.size(), "size"), join(sizes),
                               models::sizes_per_fit));
}

/// The keys of a record's point, without the size.
Json point_of_curve(const Point& point) {
  Json json = point_json(point);
  json.erase("bytes");
  return json;
}

/// The curve through the sizes; null where the lines are as good as the data.
Json factors_json(const models::Fit& fit) {
  if (fit.errors.off.empty()) return nullptr;
  Json factors = Json::array();
  for (const models::Factor& each : fit.factors.factors()) {
    factors.push_back({{"bytes", std::llround(each.message_bytes)}, {"factor", each.factor}});
  }
  return {
      {"factors", factors}, {"held_out_mape", fit.curve_held_out}, {"off_bytes", fit.errors.off}};
}

Json breakpoint_json(const models::FittedBreakpoint& breakpoint) {
  return {{"after_bytes", breakpoint.after},
          {"before_bytes", breakpoint.before},
          {"recurrence", breakpoint.recurrence},
          {"names", breakpoint.names}};
}

Json curve_fit_json(const models::Fit& fit) {
  const bool is_confirmed = fit.confirmed_by != models::Confirmation::none_needed;
  Json json = json_of(joined({columns_of_curves(), columns_of_errors()}), fit);
  json.update({{"point", point_of_curve(fit.point)},
               {"domain",
                {{"from_bytes", fit.segments.front().from}, {"to_bytes", fit.segments.back().to}}},
               {"segments", to_json(make_view(columns_of_lines(), fit.segments))},
               {"curve", factors_json(fit)},
               {"breakpoints", array_json(fit.breakpoints, breakpoint_json)},
               {"breakpoints_rejected", array_json(fit.rejected, breakpoint_json)},
               {"breakpoints_confirmed_by", is_confirmed ? Json(fit.confirmed_by) : Json(nullptr)},
               {"warnings", warnings(fit)}});
  return json;
}

Json fit_failure_json(const models::FitFailure& failure) {
  return {{"operation", failure.point.operation},
          {"point", point_of_curve(failure.point)},
          {"setting", filled_or_null(failure.setting)},
          {"launches", failure.launches},
          {"reason", "too_few_sizes"},
          {"sizes_bytes", failure.sizes},
          {"sizes_needed", models::sizes_per_fit}};
}

std::string note_text(models::LogGpWarning warning) {
  switch (warning) {
    case models::LogGpWarning::negative_latency:
      return "L is negative: the overheads alone take longer than a message, so they overlap";
    case models::LogGpWarning::gap_below_send:
      return "g is below o_s: messages in a row are sent faster than to a receiver that is late";
    case models::LogGpWarning::gap_below_receive:
      return "g is below o_r: messages in a row are received faster than those that lie there";
  }
  return {};
}

std::string title(const models::LogGp& model) {
  std::string text = "LogGP";
  if (!model.setting.empty()) text += " setting=" + escaped(model.setting);
  if (!model.host.empty()) text += " host=" + escaped(model.host);
  if (model.hop) text += " hop=" + escaped(*model.hop);
  if (model.pair.size() == 2) text += " pair=" + join_numbers(model.pair, "-");
  return fmt::format(words::loggp_at, text, count_text(model.launches, "launch"),
                     format_bytes({model.bytes}));
}

/// One of the parameters of a model.
struct NamedParameter {
  const models::LogGp* model;
  const char* name;
  const char* key;                   ///< in documents, without the unit
  models::LogGpParameter parameter;  ///< [s], or [s/B] if `per_byte`
  bool per_byte = false;
};

Columns<NamedParameter> columns_of_parameters() {
  using Row = NamedParameter;
  return {
      {{"setting", "", Unit::text, Form::csv}, [](const Row& row) { return row.model->setting; }},
      {{"host", "", Unit::text, Form::csv}, [](const Row& row) { return row.model->host; }},
      {{"hop", "", Unit::text, Form::csv}, [](const Row& row) { return row.model->hop; }},
      {{"pair", "", Unit::text, Form::csv},
       [](const Row& row) { return join_numbers(row.model->pair, "-"); }},
      {{"launches", "", Unit::count, Form::csv},
       [](const Row& row) { return row.model->launches; }},
      {{"parameter", "parameter"}, &Row::name},
      {{"value", "", Unit::number, Form::csv}, [](const Row& row) { return row.parameter.value; }},
      {{"ci", "", Unit::number, Form::csv, "", true},
       [](const Row& row) { return row.parameter.interval; }},
      {{"value", "value", Unit::number, Form::terminal},
       [](const Row& row) { return row.parameter.value * nanoseconds; }},
      {{"interval", "interval", Unit::text, Form::terminal},
       [](const Row& row) { return interval_text(row.parameter.interval, nanoseconds); }},
      {{"unit", "unit", Unit::text, Form::terminal},
       [](const Row& row) { return row.per_byte ? "ns/B" : "ns"; }}};
}

std::vector<NamedParameter> parameters_of(const models::LogGp& model) {
  std::vector<NamedParameter> all{
      {&model, "o_s", "send_overhead", model.send_overhead_seconds},
      {&model, "o_r", "receive_overhead", model.receive_overhead_seconds},
      {&model, "L", "latency", model.latency_seconds},
      {&model, "g", "gap", model.gap_seconds}};
  if (const auto& gap = model.gap_seconds_per_byte) all.push_back({&model, "G", "gap", *gap, true});
  return all;
}

Json loggp_json(const models::LogGp& model) {
  Json json{{"setting", model.setting},
            {"mpi_library", model.mpi_library},
            {"host", filled_or_null(model.host)},
            {"hop", model.hop},
            {"pair", model.pair},
            {"launches", model.launches},
            {"bytes", model.bytes},
            {"gap_seconds_per_byte", nullptr},
            {"gap_ci_seconds_per_byte", nullptr},
            {"largest_relative_error", model.largest_error},
            {"warnings", model.warnings}};
  for (const NamedParameter& each : parameters_of(model)) {
    const char* const unit = each.per_byte ? "seconds_per_byte" : "seconds";
    json[fmt::format("{}_{}", each.key, unit)] = each.parameter.value;
    json[fmt::format("{}_ci_{}", each.key, unit)] = each.parameter.interval;
  }
  return json;
}

}  // namespace

View view_of(const models::FitSet& set) {
  const Columns<FittedSegment> columns = columns_of_segments();
  View view = make_view(columns, {});
  for (const models::Fit& fit : set.fits) {
    view.add_section(
        fmt::format("{}: {}, {}, {}{}", model_title(fit.point, fit.setting), fit.model(),
                    count_text(fit.launches, "launch"), count_text(fit.sizes, "size"),
                    fit.pairs > 1 ? fmt::format(", median of {} pairs", fit.pairs) : ""));
    for (const models::Segment& segment : fit.segments) {
      view.rows.push_back(row_of(columns, FittedSegment{&fit, &segment}));
    }
    add_notes(view, fit);
  }
  for (const models::FitFailure& failure : set.failures) add_failure(view, failure);
  if (set.records_left_out > 0) {
    view.add_section(
        fmt::format(words::records_left_out, count_text(set.records_left_out, "record")));
  }
  return view;
}

Json to_json(const models::FitSet& set) {
  return {{"schema", fit_schema},
          {"fits", array_json(set.fits, curve_fit_json)},
          {"failures", array_json(set.failures, fit_failure_json)},
          {"records_used", set.records_used},
          {"records_left_out", set.records_left_out},
          {"series_without_time", set.series_without_time}};
}

View view_of(const std::vector<models::LogGp>& models) {
  const Columns<NamedParameter> columns = columns_of_parameters();
  View view = make_view(columns, {});
  for (const models::LogGp& model : models) {
    view.add_section(title(model));
    for (const NamedParameter& parameter : parameters_of(model)) {
      view.rows.push_back(row_of(columns, parameter));
    }
    if (const auto& error = model.largest_error) {
      view.add_text(fmt::format(words::loggp_error, significant(100 * *error, 2)));
    }
    for (const models::LogGpWarning warning : model.warnings) {
      view.add_text("  note: " + note_text(warning));
    }
  }
  return view;
}

Json to_json(const std::vector<models::LogGp>& models) { return array_json(models, loggp_json); }

}  // namespace hockney::report
