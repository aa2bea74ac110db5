#include "campaign/sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney {
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

/// null: the library's default; a text: the variable's value; a number: of ranks; an object:
/// whatever it brings.
AxisValue read_value(const JsonNode& node, const Axis& axis) {
  const std::string& variable = axis.variable;
  if (axis.name == ranks_axis && node.json().is_number_integer()) {
    const int ranks = read_ranks_of_value(node);
    return {.name = std::to_string(ranks), .ranks = ranks};
  }
  if (node.json().is_null()) return {.name = std::string(default_value)};
  if (!node.is_object()) {
    const std::string text = node.text();
    if (!variable.empty()) return axis_value(value_name(text), variable, text);
    node.reject("is '" + text + "'", "the axis has no 'variable' to give it to",
                R"(name the variable, or write {"name": ..., "environment": {...}})");
  }
  node.allow_only({"name", "value", "environment", "arguments", "launcher_arguments", "ranks"});
  AxisValue value{.name = node.at("name").text()};
  if (const auto text = node.find("value")) {
    if (variable.empty()) text->reject("is given", "the axis has no 'variable'", "name it");
    value = axis_value(value.name, variable, text->text());
  }
  if (const auto environment = node.find("environment")) {
    value.environment.merge(read_environment(*environment));
  }
  value.arguments = texts_or_none(node, "arguments");
  for (std::string& argument : texts_or_none(node, "launcher_arguments")) {
    value.launcher_arguments.push_back(std::move(argument));
  }
  if (const auto ranks = node.find("ranks")) value.ranks = read_ranks_of_value(*ranks);
  return value;
}

Axis read_axis(const JsonNode& node) {
  node.allow_only({"name", "variable", "values", "except"});
  Axis axis{.name = node.at("name").text()};
  if (const auto variable = node.find("variable")) axis.variable = variable->text();
  axis.except = texts_or_none(node, "except");
  const JsonNode values = node.at("values");
  if (values.is_text()) {
    const std::string word = values.text();
    if (word != ask_word) {
      values.reject("is '" + word + "'", "it is neither a list nor \"ask\"", "write \"ask\"");
    }
    if (axis.variable.empty()) {
      values.reject("is \"ask\"", "the axis has no 'variable' to ask for", "name the variable");
    }
    return axis;
  }
  if (!axis.except.empty()) {
    node.at("except").reject("is given", "the values are listed anyway", "leave them out there");
  }
  axis.values.emplace();
  for (const JsonNode& value : values.elements()) {
    axis.values->push_back(read_value(value, axis));
  }
  return axis;
}

Places read_places(const JsonNode& node) {
  Places places;
  for (const std::string& axis : node.keys()) places[axis] = node.at(axis).texts();
  return places;
}

Condition read_condition(const JsonNode& node) {
  node.allow_only({"when", "needs", "because"});
  Condition condition{.when = read_places(node.at("when"))};
  if (const auto needs = node.find("needs")) condition.needs = read_places(*needs);
  condition.because = node.at("because").text();
  return condition;
}

void read_mode(const JsonNode& node, Sweep& sweep) {
  if (node.is_object()) {
    node.allow_only({"random"});
    sweep.mode = SweepMode::random;
    const std::int64_t drawn = node.at("random").integer();
    sweep.drawn = drawn < 0 ? 0 : static_cast<std::size_t>(drawn);
    return;
  }
  const std::string word = node.text();
  if (word == "one-at-a-time") {
    sweep.mode = SweepMode::one_at_a_time;
  } else if (word != "full") {
    node.reject("is '" + word + "'", "it is no way to combine axes",
                suggest(word, {"full", "one-at-a-time"}) + ", or {\"random\": N}");
  }
}

Json value_json(const AxisValue& value) {
  return {{"name", value.name},
          {"environment", value.environment},
          {"arguments", value.arguments},
          {"launcher_arguments", value.launcher_arguments},
          {"ranks", or_null(value.ranks)}};
}

Json axis_json(const Axis& axis) {
  Json json{{"name", axis.name}, {"values", ask_word}};
  if (!axis.variable.empty()) json["variable"] = axis.variable;
  if (!axis.except.empty()) json["except"] = axis.except;
  if (!axis.values) return json;
  json["values"] = Json::array();
  for (const AxisValue& value : *axis.values) json["values"].push_back(value_json(value));
  return json;
}

Json mode_json(const Sweep& sweep) {
  if (sweep.mode == SweepMode::random) return {{"random", sweep.drawn}};
  return sweep.mode == SweepMode::full ? "full" : "one-at-a-time";
}

}  // namespace

std::map<std::string, std::string> read_environment(const JsonNode& node) {
  std::map<std::string, std::string> environment;
  for (const std::string& name : node.keys()) environment[name] = node.at(name).text();
  return environment;
}

std::optional<Sweep> read_sweep(const JsonNode& config) {
  const auto axes = config.find("axes");
  const auto mode = config.find("sweep");
  const auto conditions = config.find("conditions");
  if (!axes) {
    if (mode) mode->reject("is given without 'axes'", "there is nothing to combine", "add them");
    if (conditions) {
      conditions->reject("is given without 'axes'", "there is nothing to skip", "add them");
    }
    return std::nullopt;
  }
  Sweep sweep;
  for (const JsonNode& axis : axes->elements()) sweep.axes.push_back(read_axis(axis));
  if (mode) read_mode(*mode, sweep);
  if (!conditions) return sweep;
  for (const JsonNode& condition : conditions->elements()) {
    sweep.conditions.push_back(read_condition(condition));
  }
  return sweep;
}

void write_sweep(const std::optional<Sweep>& sweep, Json& config) {
  if (!sweep) return;
  Json axes = Json::array();
  for (const Axis& axis : sweep->axes) axes.push_back(axis_json(axis));
  Json conditions = Json::array();
  for (const Condition& condition : sweep->conditions) {
    conditions.push_back(
        {{"when", condition.when}, {"needs", condition.needs}, {"because", condition.because}});
  }
  config["axes"] = std::move(axes);
  config["sweep"] = mode_json(*sweep);
  config["conditions"] = std::move(conditions);
}

}  // namespace hockney
