#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/sweep.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

using Json = nlohmann::json;

constexpr std::string_view ask_word = "ask";

/// A number of ranks that a launch can have.
int read_ranks_of_value(const JsonNode& node) {
  const std::int64_t ranks = node.integer();
  if (ranks >= 1 && ranks <= maximum_ranks) return static_cast<int>(ranks);
  node.reject("is " + std::to_string(ranks), "a launch has 1 to " + std::to_string(maximum_ranks),
              "");
}

}  // namespace

/// `value` is a text for the axis' variable: read_value_object makes an environment or arguments
/// for the launcher of it, as which it is written.
constexpr auto fields_of(std::type_identity<AxisValue>) {
  return strict_object(
      key("name", &AxisValue::name), by_hand<AxisValue, 1, Json>({"value"}, nullptr, nullptr),
      key("environment", &AxisValue::environment, KeyUse::may_be_missing),
      key("arguments", &AxisValue::arguments, KeyUse::may_be_missing),
      key("launcher_arguments", &AxisValue::launcher_arguments, KeyUse::may_be_missing),
      key("ranks", &AxisValue::ranks, read_ranks_of_value));
}

namespace {

AxisValue read_value_object(const JsonNode& node, const std::string& variable) {
  auto value = read_value<AxisValue>(node);
  const auto text = node.find("value");
  if (!text) return value;
  if (variable.empty()) text->reject("is given", "the axis has no 'variable'", "name it");
  AxisValue given = axis_value(value.name, variable, text->text());
  given.environment.merge(value.environment);
  value.environment = given.environment;
  value.launcher_arguments.insert(value.launcher_arguments.begin(),
                                  given.launcher_arguments.begin(), given.launcher_arguments.end());
  return value;
}

/// null: the library's default; a text: the variable's value; a number: of ranks; an object:
/// whatever it brings.
AxisValue read_axis_value(const JsonNode& node, const Axis& axis) {
  if (axis.name == ranks_axis && node.is_whole_number()) {
    const int ranks = read_ranks_of_value(node);
    return {.name = std::to_string(ranks), .ranks = ranks};
  }
  if (node.is_null()) return {.name = std::string(default_value)};
  if (node.is_object()) return read_value_object(node, axis.variable);
  const std::string text = node.text();
  if (!axis.variable.empty()) return axis_value(value_name(text), axis.variable, text);
  node.reject("is '" + text + "'", "the axis has no 'variable' to give it to",
              R"(name the variable, or write {"name": ..., "environment": {...}})");
}

/// A list, or "ask" for what the library says, but for those in `except`.
void read_values(const JsonNode& node, Axis& axis) {
  const JsonNode values = node.at("values");
  if (!values.is_text()) {
    if (!axis.except.empty()) {
      node.at("except").reject("is given", "the values are listed anyway", "leave them out there");
    }
    axis.values.emplace();
    for (const JsonNode& value : values.elements()) {
      axis.values->push_back(read_axis_value(value, axis));
    }
    return;
  }
  if (values.text() != ask_word) {
    values.reject("is '" + values.text() + "'", "it is neither a list nor \"ask\"",
                  "write \"ask\"");
  }
  if (axis.variable.empty()) {
    values.reject("is \"ask\"", "the axis has no 'variable' to ask for", "name the variable");
  }
}

void write_values(const Axis& axis, Json& json) {
  json["values"] = axis.values ? Json(*axis.values) : Json(ask_word);
}

}  // namespace

constexpr auto fields_of(std::type_identity<Axis>) {
  return strict_object(key("name", &Axis::name),
                       key("variable", &Axis::variable, KeyUse::left_out_if_empty),
                       key("except", &Axis::except, KeyUse::left_out_if_empty),
                       by_hand({"values"}, read_values, write_values));
}

constexpr auto fields_of(std::type_identity<Condition>) {
  return strict_object(key("when", &Condition::when),
                       key("needs", &Condition::needs, KeyUse::may_be_missing),
                       key("because", &Condition::because));
}

namespace {

void read_mode(const JsonNode& config, Sweep& sweep) {
  const auto node = config.find("sweep");
  if (!node) return;
  if (node->is_object()) {
    node->allow_only({hockney::word(SweepMode::random)});
    sweep.mode = SweepMode::random;
    const std::int64_t drawn = node->at(hockney::word(SweepMode::random)).integer();
    sweep.drawn = drawn < 0 ? 0 : static_cast<std::size_t>(drawn);
    return;
  }
  const std::string text = node->text();
  const auto mode = find_word<SweepMode>(text);
  if (!mode || *mode == SweepMode::random) {
    node->reject("is '" + text + "'", "it is no way to combine axes",
                 suggest(text, {"full", "one-at-a-time"}) + ", or {\"random\": N}");
  }
  sweep.mode = *mode;
}

void write_mode(const Sweep& sweep, Json& config) {
  Json& json = config["sweep"];
  if (sweep.mode == SweepMode::random) {
    json[std::string(hockney::word(sweep.mode))] = sweep.drawn;
  } else {
    json = sweep.mode;
  }
}

}  // namespace

/// Keys of the config itself, which has others.
constexpr auto fields_of(std::type_identity<Sweep>) {
  return object_of(key("axes", &Sweep::axes), by_hand({"sweep"}, read_mode, write_mode),
                   key("conditions", &Sweep::conditions, KeyUse::may_be_missing));
}

std::optional<Sweep> read_sweep(const JsonNode& config) {
  if (config.find("axes")) return read_value<Sweep>(config);
  if (const auto mode = config.find("sweep")) {
    mode->reject("is given without 'axes'", "there is nothing to combine", "add them");
  }
  if (const auto conditions = config.find("conditions")) {
    conditions->reject("is given without 'axes'", "there is nothing to skip", "add them");
  }
  return std::nullopt;
}

void write_sweep(const Sweep& sweep, Json& config) { document_fields<Sweep>.write(sweep, config); }

}  // namespace hockney::campaign
