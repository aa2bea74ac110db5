#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/fit_table.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of headings and notes.
namespace words {

constexpr std::string_view loggp_at = "{}: {}, o_s, o_r, L and g at {} B";
constexpr std::string_view loggp_error = "  largest error over the sizes measured: {} %";

}  // namespace words

using Json = nlohmann::json;

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
  const char* key;                   ///< in documents, without the unit
  models::LogGpParameter parameter;  ///< [s], or [s/B] if `per_byte`
  bool per_byte = false;
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

Json loggp_json(const models::LogGp& model) {
  Json json{{"setting", model.setting},
            {"mpi_library", model.mpi_library},
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

Json to_json(const std::vector<models::LogGp>& models) { return array_json(models, loggp_json); }

}  // namespace hockney::report
