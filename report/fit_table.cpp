#include "report/fit_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of headings and notes.
namespace words {

constexpr std::string_view loggp_at = "{}: {}, o_s, o_r, L and g at {} B";
constexpr std::string_view loggp_error = "  largest error over the sizes measured: {} %";
constexpr std::string_view no_interval = "no interval ({}; {} needed)";
constexpr std::string_view no_interval_of_launches = "no interval ({} launches; {} needed)";
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

constexpr std::string_view collectives =
    "\nCollectives: alpha, beta and gamma of each algorithm; chosen is the form that best "
    "predicts larger numbers of ranks from smaller ones\n";
constexpr std::string_view channel =
    "channel between sites {} apart: {} ns/B for all messages together (error of the replays {}, "
    "{} without)\n";
constexpr std::string_view collective_errors = "  error: mean {}, max {}, held-out p {}{}\n";
constexpr std::string_view segments_bent =
    "the segments alone are off by {} on average; the model multiplies them by a measured curve";
constexpr std::string_view model_off = "off by more than {} x the noise floor {}: {}";
constexpr std::string_view ranks_left_out = "left out, because these ranks share CPUs: p {}";
constexpr std::string_view replaced_left_out =
    "left out, because libraries run an unknown algorithm in its place: {}";
constexpr std::string_view collective_not_fitted =
    "\n{}: not fitted ({}) measure more sizes or numbers of ranks\n";
constexpr std::string_view without_ranks = "without p {}, whose ranks share CPUs";

constexpr std::string_view scalings =
    "\nStarting, by number of ranks p: constant + log2 x log2 p + linear x p\n";

}  // namespace words

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
  if (!model.setting.empty()) text += " setting=" + inert(model.setting);
  if (model.hop) text += " hop=" + inert(*model.hop);
  if (model.pair.size() == 2) text += " pair=" + join_numbers(model.pair, "-");
  return fmt::format(words::loggp_at, text, count_text(model.launches, "launch"),
                     format_bytes({model.bytes}));
}

/// One of the parameters of a model.
struct NamedParameter {
  const models::LogGp* model;
  const char* name;
  const char* unit;
  models::LogGpParameter parameter;
};

Columns<NamedParameter> columns_of_parameters() {
  using Row = NamedParameter;
  return {
      {{"setting", "", Unit::text, Form::csv}, [](const Row& row) { return row.model->setting; }},
      {{"hop", "", Unit::text, Form::csv}, [](const Row& row) { return row.model->hop; }},
      {{"pair", "", Unit::text, Form::csv},
       [](const Row& row) { return join_numbers(row.model->pair, "-"); }},
      {{"launches", "", Unit::count, Form::csv},
       [](const Row& row) { return row.model->launches; }},
      {{"parameter", "parameter"}, [](const Row& row) { return row.name; }},
      {{"value", "", Unit::number, Form::csv}, [](const Row& row) { return row.parameter.value; }},
      {{"ci", "", Unit::number, Form::csv, "", true},
       [](const Row& row) { return row.parameter.interval; }},
      {{"value", "value", Unit::number, Form::terminal},
       [](const Row& row) { return row.parameter.value * nanoseconds; }},
      {{"interval", "interval", Unit::text, Form::terminal},
       [](const Row& row) { return interval_text(row.parameter.interval, nanoseconds); }},
      {{"unit", "unit", Unit::text, Form::terminal}, [](const Row& row) { return row.unit; }}};
}

std::vector<NamedParameter> parameters_of(const models::LogGp& model) {
  std::vector<NamedParameter> all{{&model, "o_s", "ns", model.send_overhead_seconds},
                                  {&model, "o_r", "ns", model.receive_overhead_seconds},
                                  {&model, "L", "ns", model.latency_seconds},
                                  {&model, "g", "ns", model.gap_seconds}};
  if (const auto& gap = model.gap_seconds_per_byte) all.push_back({&model, "G", "ns/B", *gap});
  return all;
}

}  // namespace

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

namespace {

constexpr double megabytes = 1e-6;

std::string percent_text(const std::optional<double>& fraction) { return error_text(fraction, 1); }

/// 1/beta [MB/s]: the ends are exchanged. An end of beta that is not positive gives "unbounded".
std::string bandwidth_interval(const std::optional<Interval>& beta) {
  if (!beta) return "-";
  const auto end = [](double slope) {
    return slope > 0 ? significant(megabytes / slope) : std::string("unbounded");
  };
  return fmt::format("{} .. {}", end(beta->high), end(beta->low));
}

/// If alpha is at its bound in all launches, no line fits there: the interval is unknown, not zero.
std::string alpha_interval(const std::optional<Interval>& alpha) {
  if (alpha && alpha->low == 0 && alpha->high == 0) return "at its bound";
  return interval_text(alpha, microseconds);
}

/// A segment and its fit.
struct FittedSegment {
  const models::Fit* fit;
  const models::Segment* segment;

  [[nodiscard]] double alpha() const { return segment->line.alpha_seconds; }
  [[nodiscard]] double beta() const { return segment->line.beta_seconds_per_byte; }
  /// `value` / beta; nullopt for a line without slope.
  [[nodiscard]] std::optional<double> per_beta(double value) const {
    return beta() > 0 ? std::optional(value / beta()) : std::nullopt;
  }
};

/// The columns that name the curve; `bytes` of its point is unused.
Columns<FittedSegment> columns_of_curves() {
  using Row = FittedSegment;
  Columns<Row> point = of_part<Row, Point>(
      point_columns(), [](const Row& row) -> const Point& { return row.fit->point; });
  std::erase_if(point, [](const Column<Row>& column) { return column.heading.key == "bytes"; });
  return joined<Row>(
      {point,
       {{{"setting", "", Unit::text, Form::csv}, [](const Row& row) { return row.fit->setting; }},
        {{"mpi_library", "", Unit::text, Form::csv},
         [](const Row& row) { return row.fit->mpi_library; }},
        {{"model", "", Unit::text, Form::csv}, [](const Row& row) { return row.fit->model(); }},
        {{"launches", "", Unit::count, Form::csv},
         [](const Row& row) { return row.fit->launches; }}}});
}

Columns<FittedSegment> columns_of_lines() {
  using Row = FittedSegment;
  return joined<Row>(
      {{{{"from_bytes", "from", Unit::size},
         [](const Row& row) { return row.segment->from.value; }},
        {{"to_bytes", "to", Unit::size}, [](const Row& row) { return row.segment->to.value; }},
        {{"alpha_seconds", "alpha", Unit::micros}, [](const Row& row) { return row.alpha(); }},
        {{"alpha_ci_seconds", "", Unit::micros, Form::csv, "", true},
         [](const Row& row) { return row.segment->alpha_seconds; }},
        {{"alpha_ci", "interval", Unit::text, Form::terminal},
         [](const Row& row) { return alpha_interval(row.segment->alpha_seconds); }},
        {{"bandwidth_bytes_per_second", "1/beta", Unit::byte_rate},
         [](const Row& row) { return row.per_beta(1); }},
        {{"bandwidth_ci", "interval", Unit::text, Form::terminal},
         [](const Row& row) { return bandwidth_interval(row.segment->beta_seconds_per_byte); }},
        {{"beta", "beta [ns/B]", Unit::number, Form::terminal},
         [](const Row& row) { return row.beta() * nanoseconds; }},
        {{"beta_seconds_per_byte", "", Unit::number, Form::csv},
         [](const Row& row) { return row.beta(); }},
        {{"beta_ci_seconds_per_byte", "", Unit::number, Form::csv, "", true},
         [](const Row& row) { return row.segment->beta_seconds_per_byte; }},
        {{"half_bandwidth_bytes", "n_half [B]", Unit::number},
         [](const Row& row) { return row.per_beta(row.alpha()); }}}});
}

Columns<FittedSegment> columns_of_errors() {
  using Row = FittedSegment;
  const auto column = [](const char* key,
                         const std::function<std::optional<double>(const Row&)>& value) {
    return Column<Row>{{key, "", Unit::share, Form::csv}, value};
  };
  return {column("mape", [](const Row& row) { return row.fit->errors.mape; }),
          column("max_relative_error", [](const Row& row) { return row.fit->errors.maximum; }),
          column("held_out_mape", [](const Row& row) { return row.fit->errors.held_out; }),
          column("noise_floor", [](const Row& row) { return row.fit->noise_floor; })};
}

std::string title(const Point& point, const std::string& setting) {
  return inert(curve_name(point) + (setting.empty() ? "" : " setting=" + setting));
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
      part += names->empty() ? " unexplained" : " = " + inert(join(*names, ", "));
    }
    parts.push_back(part);
  }
  return join(parts, "; ");
}

std::string few_launches_text(std::size_t launches) {
  const std::size_t needed = samples_for_interval();
  return launches < needed ? fmt::format(words::no_interval, count_text(launches, "launch"), needed)
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
  view.add_section(fmt::format(words::curve_not_fitted, title(failure.point, failure.setting),
                               count_text(sizes.size(), "size"), join(sizes),
                               models::sizes_per_fit));
}

}  // namespace

View view_of(const models::FitSet& set) {
  const auto columns =
      joined<FittedSegment>({columns_of_curves(), columns_of_lines(), columns_of_errors()});
  View view = make_view(columns, {});
  for (const models::Fit& fit : set.fits) {
    view.add_section(
        fmt::format("{}: {}, {}, {}{}", title(fit.point, fit.setting), fit.model(),
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

std::string collective_title(const collectives::Curve& curve) {
  const bool is_unproven = curve.algorithm && !curve.proven;
  return inert(fmt::format("{} algorithm={}{}{}", curve.operation,
                           curve.algorithm.value_or("default"),
                           is_unproven ? " (requested, not proven)" : "",
                           curve.setting.empty() ? "" : " setting=" + curve.setting));
}

namespace {

/// "alpha 1.002 [us] (1.001 .. 1.003)"; times in us, times for each byte in ns/B.
std::string parameter_text(const collectives::FormFit& fit, const collectives::FormSegment& segment,
                           std::size_t j) {
  const std::string& full = fit.form.parameters[j];
  const std::string name = full.substr(0, full.find("_seconds"));
  if (std::ranges::count(segment.inseparable, j) > 0) return name + " not separable";
  const bool per_byte = full.ends_with("_per_byte");
  const bool bare = full == name;
  const double scale = bare ? 1 : per_byte ? 1e9 : 1e6;
  const char* const unit = bare ? "" : per_byte ? " ns/B" : " us";
  const auto& interval = segment.intervals[j];
  return fmt::format("{} {}{}{}", name, significant(scale * segment.parameters[j]), unit,
                     interval ? fmt::format(" ({})", interval_text(interval, scale)) : "");
}

void print_segment(std::ostream& out, const collectives::FormFit& fit,
                   const collectives::FormSegment& segment) {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < segment.parameters.size(); ++j) {
    parts.push_back(parameter_text(fit, segment, j));
  }
  out << fmt::format("  {}..{}: {}\n", format_bytes(segment.from), format_bytes(segment.to),
                     join(parts));
}

std::string place_text(const schedules::Workload& work) {
  return fmt::format("p {}, {}", work.ranks, format_bytes(work.bytes));
}

/// "33 % at p 8, 8K".
std::string work_text(const collectives::WorkError& error) {
  return fmt::format("{} at {}", error_text(error.relative), place_text(error.work));
}

/// The notes of a fit, each a line.
std::vector<std::string> notes_of(const collectives::Fit& fit) {
  std::vector<std::string> notes;
  if (fit.model.factors.bend() != models::Bend::none) {
    notes.push_back(fmt::format(words::segments_bent, error_text(fit.unbent_mape)));
  }
  if (const auto off = off_works(fit); !off.empty()) {
    notes.push_back(fmt::format(words::model_off, significant(collectives::most_noise_floors, 1),
                                error_text(fit.noise_floor),
                                join(strings_of(off, work_text), "; ")));
  }
  if (!fit.curve.oversubscribed_ranks.empty()) {
    notes.push_back(
        fmt::format(words::ranks_left_out, join_numbers(fit.curve.oversubscribed_ranks, ",")));
  }
  if (!fit.replaced.empty()) {
    notes.push_back(
        fmt::format(words::replaced_left_out, join(strings_of(fit.replaced, place_text), "; ")));
  }
  if (fit.launches.size() < samples_for_interval()) {
    notes.push_back(
        fmt::format(words::no_interval_of_launches, fit.launches.size(), samples_for_interval()));
  }
  return notes;
}

void print_fit(std::ostream& out, const collectives::Fit& fit) {
  const collectives::FormFit& model = fit.model;
  out << fmt::format("\n{}: {}, {}; p {}, launches {}\n", collective_title(fit.curve), model.name(),
                     model.form.formula, join_numbers(fit.curve.ranks(), ","),
                     fit.curve.launches());
  for (const collectives::FormSegment& segment : model.segments) print_segment(out, model, segment);
  const auto& worst = model.errors.held_out_worst;
  out << fmt::format(words::collective_errors, error_text(model.errors.mape),
                     error_text(model.errors.maximum), error_text(model.errors.held_out),
                     worst ? fmt::format(" (worst {})", work_text(*worst)) : "");
  for (const std::string& note : notes_of(fit)) out << "  note: " << note << '\n';
  const auto tried = strings_of(fit.candidates, [](const collectives::TriedForm& candidate) {
    return fmt::format("{} {}", candidate.form,
                       error_text(candidate.held_out.value_or(candidate.mape)));
  });
  out << "  tried: " << join(tried) << '\n';
}

void print_channels(std::ostream& out, const std::vector<collectives::Channel>& channels) {
  for (const collectives::Channel& channel : channels) {
    if (channel.seconds_per_byte <= 0) continue;
    out << fmt::format(words::channel, inert(channel.hop),
                       significant(channel.seconds_per_byte * 1e9), error_text(channel.error_with),
                       error_text(channel.error_without));
  }
}

}  // namespace

void print_collective_fits(std::ostream& out, const collectives::Fits& fits) {
  if (!fits.fits.empty()) out << words::collectives;
  print_channels(out, fits.channels);
  for (const collectives::Fit& fit : fits.fits) print_fit(out, fit);
  for (const collectives::Failure& failure : fits.failures) {
    out << fmt::format(words::collective_not_fitted, collective_title(failure.curve),
                       inert(failure.reason));
  }
}

namespace {

std::string remarks(const collectives::PredictedTime& row) {
  std::vector<std::string> parts{row.form};
  const collectives::Extrapolation& beyond = row.prediction.extrapolated;
  if (beyond.in_ranks) parts.emplace_back("extrapolated in ranks");
  if (beyond.in_bytes) parts.emplace_back("extrapolated in bytes");
  if (!row.oversubscribed_ranks.empty()) {
    parts.push_back(fmt::format(words::without_ranks, join_numbers(row.oversubscribed_ranks, ",")));
  }
  if (!row.no_interval.empty()) parts.push_back("no interval: " + row.no_interval);
  if (const auto objection = objection_to(row)) parts.push_back("forced: " + objection->why);
  return inert(join(parts, "; "));
}

}  // namespace

std::string prediction_text(const collectives::PredictedTime& row) {
  return fmt::format("{} ranks, {} B: {}", row.work.ranks, format_bytes(row.work.bytes),
                     short_time(row.prediction.seconds, row.prediction.interval));
}

View view_of(const std::vector<collectives::PredictedTime>& rows) {
  using Predicted = collectives::PredictedTime;
  const auto columns = joined<Predicted>(
      {{{{"ranks", "ranks", Unit::count}, [](const Predicted& row) { return row.work.ranks; }},
        {{"bytes", "bytes", Unit::size}, [](const Predicted& row) { return row.work.bytes.value; }},
        {{"seconds", "time", Unit::micros},
         [](const Predicted& row) { return row.prediction.seconds; }},
        interval_column<Predicted>("ci_seconds", Unit::micros,
                                   [](const Predicted& row) { return row.prediction.interval; }),
        {{"held_out_mape", "held-out", Unit::share},
         [](const Predicted& row) { return row.prediction.held_out; }},
        {{"how", "how"}, [](const Predicted& row) { return remarks(row); }}}});
  return make_view(columns, rows);
}

namespace {

constexpr std::size_t summary_rows = 10;

/// "8K,64K"; unknown without sizes.
Value sizes_value(const std::vector<Bytes>& sizes) {
  return sizes.empty() ? Value() : Value(join(strings_of(sizes, format_bytes), ","));
}

/// A model of a curve or of a collective in one line.
struct ModelLine {
  std::string name;
  std::size_t segments = 0;
  std::optional<double> alpha_seconds;     ///< of the first segment
  std::optional<double> bytes_per_second;  ///< of the last one
  double error = 0;
  std::optional<double> held_out;
  Value off;  ///< sizes where the errors are more than noise
};

/// 1/beta of the last segment; nullopt if the time grows less over it than the model errs.
std::optional<double> bandwidth_of(const models::Fit& fit) {
  const models::Segment& last = fit.segments.back();
  const double beta = last.line.beta_seconds_per_byte;
  const double growth = beta * static_cast<double>(last.to.value - last.from.value);
  const bool is_seen =
      beta > 0 && growth > fit.errors.mape * last.line.at(static_cast<double>(last.to.value));
  return is_seen ? std::optional(1 / beta) : std::nullopt;
}

ModelLine line_of(const models::Fit& fit) {
  return {.name = title(fit.point, fit.setting),
          .segments = fit.segments.size(),
          .alpha_seconds = fit.segments.front().line.alpha_seconds,
          .bytes_per_second = bandwidth_of(fit),
          .error = fit.errors.mape,
          .held_out = fit.errors.held_out,
          .off = sizes_value(fit.errors.off)};
}

ModelLine line_of(const collectives::Fit& fit) {
  std::set<Bytes> off;
  for (const collectives::WorkError& error : off_works(fit)) off.insert(error.work.bytes);
  return {.name = collective_title(fit.curve),
          .segments = fit.model.segments.size(),
          .alpha_seconds = std::nullopt,
          .bytes_per_second = std::nullopt,
          .error = fit.model.errors.mape,
          .held_out = fit.model.errors.held_out,
          .off = sizes_value({off.begin(), off.end()})};
}

Columns<ModelLine> columns_of_models() {
  using Row = ModelLine;
  return {{{"model", "model of"}, [](const Row& row) { return row.name; }},
          {{"alpha_seconds", "first alpha", Unit::micros},
           [](const Row& row) { return row.alpha_seconds; }},
          {{"bytes_per_second", "last 1/beta", Unit::byte_rate},
           [](const Row& row) { return row.bytes_per_second; }},
          {{"segments", "segments", Unit::count}, [](const Row& row) { return row.segments; }},
          {{"mape", "error", Unit::share}, [](const Row& row) { return row.error; }},
          {{"held_out_mape", "held-out", Unit::share}, [](const Row& row) { return row.held_out; }},
          {{"off", "error above noise at [B]"}, [](const Row& row) { return row.off; }}};
}

}  // namespace

View summary_of(const models::FitSet& set, const std::vector<models::LogGp>& loggp,
                const collectives::Fits& fits) {
  const Columns<ModelLine> columns = columns_of_models();
  View view = make_view(columns, {});
  std::size_t models = 0;
  const auto add = [&](const auto& fit) {
    if (++models <= summary_rows) view.rows.push_back(row_of(columns, line_of(fit)));
  };
  for (const models::Fit& fit : set.fits) add(fit);
  for (const collectives::Fit& fit : fits.fits) add(fit);
  if (models > summary_rows) {
    view.add_text(fmt::format("... {}: --all", count_text(models - summary_rows, "more model")));
  }
  if (!loggp.empty()) {
    view.add_text(fmt::format("LogGP of {}: --all", count_text(loggp.size(), "pair")));
  }
  const std::size_t failures = set.failures.size() + fits.failures.size();
  if (failures > 0) view.add_text(count_text(failures, "curve") + " could not be fitted: --all");
  return view;
}

namespace {

constexpr double kibibytes_per_byte = 1.0 / 1024;

double scale_of(collectives::ScalingUnit unit) {
  return unit == collectives::ScalingUnit::seconds ? microseconds : kibibytes_per_byte;
}

std::string unit_name(collectives::ScalingUnit unit) {
  return unit == collectives::ScalingUnit::seconds ? "us" : "KiB";
}

std::string term_text(const collectives::ScalingTerm& term, double scale) {
  if (!term.is_separable) return "not separable";
  const std::string value = significant(scale * term.value);
  return term.interval ? fmt::format("{} ({})", value, interval_text(term.interval, scale)) : value;
}

std::string title_of(const collectives::ScalingCurve& curve) {
  return inert(fmt::format("{}{} ({})", curve.quantity,
                           curve.setting.empty() ? "" : " setting=" + curve.setting,
                           curve.mpi_library));
}

void print_scaling(std::ostream& out, const collectives::Scaling& scaling) {
  const double scale = scale_of(scaling.curve.unit);
  const std::size_t launches = scaling.curve.launches();
  out << fmt::format("{} [{}]; p {}, launches {}\n", title_of(scaling.curve),
                     unit_name(scaling.curve.unit), join_numbers(scaling.curve.ranks, ","),
                     launches);
  const auto terms = strings_of(scaling.terms, [&](const collectives::ScalingTerm& term) {
    return fmt::format("{} {}", term.name, term_text(term, scale));
  });
  out << fmt::format("  {}\n  error: max {}, held-out p {}\n", join(terms),
                     error_text(scaling.max_relative_error), error_text(scaling.held_out_error));
  if (launches < samples_for_interval()) {
    out << "  note: "
        << fmt::format(words::no_interval_of_launches, launches, samples_for_interval()) << '\n';
  }
}

}  // namespace

void print_rank_scalings(std::ostream& out, const std::vector<collectives::Scaling>& scalings) {
  if (scalings.empty()) return;
  out << words::scalings;
  for (const collectives::Scaling& scaling : scalings) print_scaling(out, scaling);
}

}  // namespace hockney::report
