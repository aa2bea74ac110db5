#include "models/tables/collective_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_values.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of headings and notes.
namespace words {

constexpr std::string_view no_interval_of_launches = "no interval ({}; {} needed)";

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
constexpr std::string_view not_separable =
    "not separable from the parameters before it by these times";
constexpr std::string_view without_ranks = "without p {}, whose ranks share CPUs";

}  // namespace words

using Json = nlohmann::json;

/// Whether the times separate a parameter from those before it.
bool is_separable(const collectives::FormSegment& segment, std::size_t parameter) {
  return std::ranges::count(segment.inseparable, parameter) == 0;
}

/// "1.002 us (1.001 .. 1.003)"; without an interval the value alone.
std::string value_text(double value, double scale, const char* unit,
                       const std::optional<Interval>& interval) {
  return fmt::format("{}{}{}", significant(scale * value), unit,
                     interval ? fmt::format(" ({})", interval_text(interval, scale)) : "");
}

/// "alpha 1.002 us (1.001 .. 1.003)"; times in us, times for each byte in ns/B.
std::string parameter_text(const collectives::FormFit& fit, const collectives::FormSegment& segment,
                           std::size_t j) {
  const std::string& full = fit.form.parameters[j];
  const std::string name = full.substr(0, full.find("_seconds"));
  if (!is_separable(segment, j)) return name + " not separable";
  const bool per_byte = full.ends_with("_per_byte");
  const bool bare = full == name;
  const double scale = bare ? 1 : per_byte ? 1e9 : 1e6;
  const char* const unit = bare ? "" : per_byte ? " ns/B" : " us";
  return fmt::format("{} {}", name,
                     value_text(segment.parameters[j], scale, unit, segment.intervals[j]));
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
    notes.push_back(fmt::format(words::no_interval_of_launches,
                                count_text(fit.launches.size(), "launch"), samples_for_interval()));
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
    out << fmt::format(words::channel, escaped(channel.hop),
                       significant(channel.seconds_per_byte * 1e9), error_text(channel.error_with),
                       error_text(channel.error_without));
  }
}

Json curve_json(const collectives::Curve& curve) {
  return {{"operation", curve.operation},
          {"algorithm", curve.algorithm},
          {"algorithm_proven", curve.proven},
          {"setting", filled_or_null(curve.setting)},
          {"mpi_library", filled_or_null(curve.mpi_library)},
          {"ranks", curve.ranks()},
          {"oversubscribed_ranks_left_out", curve.oversubscribed_ranks},
          {"launches", curve.launches()}};
}

Json segment_json(const collectives::FormFit& fit, const collectives::FormSegment& segment) {
  Json parameters = Json::object();
  for (std::size_t j = 0; j < segment.parameters.size(); ++j) {
    parameters[fit.form.parameters[j]] =
        is_separable(segment, j)
            ? Json{{"value", segment.parameters[j]},
                   {"ci", segment.intervals[j]},
                   {"reason", nullptr}}
            : Json{{"value", nullptr}, {"ci", nullptr}, {"reason", words::not_separable}};
  }
  return {{"from_bytes", segment.from}, {"to_bytes", segment.to}, {"parameters", parameters}};
}

Json factor_json(const collectives::Factor& factor) {
  return {{"ranks", factor.ranks == models::all_ranks ? Json(nullptr) : Json(factor.ranks)},
          {"message_bytes", factor.message_bytes},
          {"factor", factor.factor}};
}

Json work_json(const schedules::Workload& work) {
  return {{"ranks", work.ranks}, {"bytes", work.bytes}};
}

Json off_json(const collectives::WorkError& error) {
  const auto& [work, relative] = error;
  return {{"ranks", work.ranks}, {"bytes", work.bytes}, {"relative_error", relative}};
}

Json candidate_json(const collectives::TriedForm& candidate) {
  return {
      {"form", candidate.form}, {"mape", candidate.mape}, {"held_out_mape", candidate.held_out}};
}

Json fit_json(const collectives::Fit& fit) {
  const collectives::FormFit& model = fit.model;
  const auto& worst = model.errors.held_out_worst;
  Json json = curve_json(fit.curve);
  json.update(
      {{"form", model.name()},
       {"formula", model.form.formula},
       {"segments",
        array_json(model.segments, [&](const auto& each) { return segment_json(model, each); })},
       {"mape", model.errors.mape},
       {"max_relative_error", model.errors.maximum},
       {"held_out_mape", model.errors.held_out},
       {"held_out_worst", worst ? off_json(*worst) : Json(nullptr)},
       {"noise_floor", fit.noise_floor},
       {"segments_mape", fit.unbent_mape},
       {"factors", array_json(model.factors.factors(), factor_json)},
       {"off", array_json(off_works(fit), off_json)},
       {"replaced", array_json(fit.replaced, work_json)},
       {"candidates", array_json(fit.candidates, candidate_json)}});
  return json;
}

Json gammas_json(const std::string& library, const collectives::GammaTable& table) {
  Json entries = Json::array();
  for (const auto& [ranks, row] : table.ratios()) {
    for (const auto& [bytes, ratio] : row) {
      entries.push_back({{"ranks", ranks}, {"bytes", bytes}, {"gamma", ratio}});
    }
  }
  return {{"mpi_library", filled_or_null(library)}, {"entries", entries}};
}

Json channel_json(const collectives::Channel& channel) {
  const double slope = channel.seconds_per_byte;
  return {{"hop", channel.hop},
          {"seconds_per_byte", slope > 0 ? Json(slope) : Json(nullptr)},
          {"error_with", channel.error_with},
          {"error_without", channel.error_without}};
}

Json failure_json(const collectives::Failure& failure) {
  Json json = curve_json(failure.curve);
  json["reason"] = failure.reason;
  return json;
}

std::string remarks(const collectives::PredictedTime& row) {
  std::vector<std::string> parts{row.form};
  if (row.shares_cpus) parts.emplace_back("ranks share CPUs");
  const collectives::Extrapolation& beyond = row.prediction.extrapolated;
  if (beyond.in_ranks) parts.emplace_back("extrapolated in ranks");
  if (beyond.in_bytes) parts.emplace_back("extrapolated in bytes");
  if (!row.oversubscribed_ranks.empty()) {
    parts.push_back(fmt::format(words::without_ranks, join_numbers(row.oversubscribed_ranks, ",")));
  }
  if (!row.no_interval.empty()) parts.push_back("no interval: " + row.no_interval);
  if (const auto objection = objection_to(row)) parts.push_back("forced: " + objection->why);
  return escaped(join(parts, "; "));
}

Columns<collectives::PredictedTime> columns_of_predictions() {
  using Row = collectives::PredictedTime;
  return {
      {{"ranks", "ranks", Unit::count}, [](const Row& row) { return row.work.ranks; }},
      {{"bytes", "bytes", Unit::size}, [](const Row& row) { return row.work.bytes.value; }},
      {{"seconds", "time", Unit::micros}, [](const Row& row) { return row.prediction.seconds; }},
      {{"ci_seconds", "interval", Unit::micros, row_forms, "", true},
       [](const Row& row) { return row.prediction.interval; }},
      {{"held_out_mape", "held-out", Unit::share},
       [](const Row& row) { return row.prediction.held_out; }},
      {{"how", "how", Unit::text, row_forms}, remarks}};
}

}  // namespace

std::string collective_title(const collectives::Curve& curve) {
  const bool is_unproven = curve.algorithm && !curve.proven;
  return escaped(fmt::format("{} algorithm={}{}{}", curve.operation,
                             curve.algorithm.value_or("default"),
                             is_unproven ? " (requested, not proven)" : "",
                             curve.setting.empty() ? "" : " setting=" + curve.setting));
}

void print_collective_fits(std::ostream& out, const collectives::Fits& fits) {
  if (!fits.fits.empty()) out << words::collectives;
  print_channels(out, fits.channels);
  for (const collectives::Fit& fit : fits.fits) print_fit(out, fit);
  for (const collectives::Failure& failure : fits.failures) {
    out << fmt::format(words::collective_not_fitted, collective_title(failure.curve),
                       escaped(failure.reason));
  }
}

Json to_json(const collectives::Fits& fits) {
  Json gammas = Json::array();
  for (const auto& [library, table] : fits.gammas) {
    if (!table.empty()) gammas.push_back(gammas_json(library, table));
  }
  return {{"collectives", array_json(fits.fits, fit_json)},
          {"collective_failures", array_json(fits.failures, failure_json)},
          {"gammas", gammas},
          {"channels", array_json(fits.channels, channel_json)}};
}

std::string prediction_text(const collectives::PredictedTime& row) {
  return fmt::format("{} ranks, {} B: {}", row.work.ranks, format_bytes(row.work.bytes),
                     short_time(row.prediction.seconds, row.prediction.interval));
}

View view_of(const std::vector<collectives::PredictedTime>& rows) {
  return make_view(columns_of_predictions(), rows);
}

Json to_json(const collectives::Question& question, const collectives::PredictedTime& predicted) {
  const collectives::Extrapolation& beyond = predicted.prediction.extrapolated;
  const auto objection = objection_to(predicted);
  Json json = json_of(columns_of_predictions(), predicted);
  json.update({{"operation", question.operation},
               {"algorithm", filled_or_null(question.algorithm)},
               {"interval_seconds", predicted.prediction.interval},
               {"no_interval_because", filled_or_null(predicted.no_interval)},
               {"form", predicted.form},
               {"oversubscribed_ranks_left_out", predicted.oversubscribed_ranks},
               {"forced_because", objection ? Json(objection->why) : Json(nullptr)},
               {"extrapolated", {{"ranks", beyond.in_ranks}, {"bytes", beyond.in_bytes}}}});
  return json;
}

}  // namespace hockney::report
