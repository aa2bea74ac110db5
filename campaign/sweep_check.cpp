#include <algorithm>
#include <set>

#include "campaign/config.hpp"
#include "campaign/sweep.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

/// Names and values are joined by = and , in the names of settings, which are those of files.
void check_plain(const std::string& name, const std::string& what, const std::string& file) {
  if (!name.empty() && name == value_name(name)) return;
  reject_config(file, what + " '" + name + "' is not plain", "it becomes part of file names",
                "use letters, digits and . _ - + only");
}

void check_values(const Axis& axis, const std::string& file) {
  if (!axis.values) return;
  if (axis.values->empty()) {
    reject_config(file, "axis '" + axis.name + "' has no values", "there is nothing to vary",
                  "give some, or \"ask\" for those the library lists");
  }
  std::set<std::string> names;
  for (const AxisValue& value : *axis.values) {
    check_plain(value.name, "value of axis '" + axis.name + "'", file);
    if (names.insert(value.name).second) continue;
    reject_config(file, "value '" + value.name + "' of axis '" + axis.name + "' occurs twice",
                  "the settings would have one name", "rename or remove one of them");
  }
}

std::vector<std::string> variables_of(const Axis& axis) {
  std::set<std::string> variables;
  if (!axis.variable.empty()) variables.insert(axis.variable);
  for (const AxisValue& value : axis.values.value_or(std::vector<AxisValue>())) {
    for (const auto& [name, text] : value.environment) variables.insert(name);
  }
  return {variables.begin(), variables.end()};
}

void check_axes(const std::vector<Axis>& axes, const std::string& file) {
  if (axes.empty()) {
    reject_config(file, "'axes' is empty", "there is nothing to vary", "leave it out");
  }
  std::set<std::string> names;
  std::set<std::string> variables;
  for (const Axis& axis : axes) {
    check_plain(axis.name, "name of an axis", file);
    if (!names.insert(axis.name).second) {
      reject_config(file, "axis '" + axis.name + "' occurs twice", "each has its own name",
                    "rename one");
    }
    check_values(axis, file);
    for (const std::string& variable : variables_of(axis)) {
      if (variables.insert(variable).second) continue;
      reject_config(file, "two axes set '" + variable + "'", "one would overwrite the other",
                    "join them to one axis");
    }
  }
}

void check_places(const Places& places, const std::vector<Axis>& axes, const std::string& file) {
  for (const auto& [name, values] : places) {
    const auto axis = std::ranges::find(axes, name, &Axis::name);
    if (axis == axes.end()) {
      reject_config(file, "a condition is on axis '" + name + "'", "there is none of that name",
                    suggest(name, strings_of(axes, &Axis::name)));
    }
    const auto& permitted = axis->values;
    if (!permitted) continue;
    const auto known = strings_of(*permitted, &AxisValue::name);
    for (const std::string& value : values) {
      if (std::ranges::find(known, value) != known.end()) continue;
      reject_config(file, "a condition is on '" + name + "=" + value + "'",
                    "the axis has no such value", suggest(value, known));
    }
  }
}

void check_count(const Sweep& sweep, const std::string& file) {
  if (sweep.mode == SweepMode::random && sweep.drawn < 1) {
    reject_config(file, "'sweep' draws no combinations", "there would be nothing to launch",
                  "write {\"random\": 24}");
  }
  std::size_t count = 1;
  for (const Axis& axis : sweep.axes) {
    count *= axis.values ? axis.values->size() : 1;
    if (count <= maximum_combinations) continue;
    reject_config(
        file, "the axes have more than " + std::to_string(maximum_combinations) + " combinations",
        "no campaign could hold them", "leave values or axes out");
  }
}

}  // namespace

void check_sweep(const Sweep& sweep, const std::string& file) {
  check_axes(sweep.axes, file);
  for (const Condition& condition : sweep.conditions) {
    if (condition.when.empty()) {
      reject_config(file, "a condition has an empty 'when'", "it would skip everything",
                    "name the values it is about");
    }
    check_places(condition.when, sweep.axes, file);
    check_places(condition.needs, sweep.axes, file);
  }
  check_count(sweep, file);
}

bool is_simulator_variable(std::string_view variable) { return variable.starts_with("smpi/"); }

AxisValue axis_value(const std::string& name, const std::string& variable,
                     const std::string& text) {
  if (!is_simulator_variable(variable)) return {.name = name, .environment = {{variable, text}}};
  return {.name = name, .launcher_arguments = {"--cfg=" + variable + ":" + text}};
}

std::string value_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool plain = letter || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!plain) c = '+';
  }
  return name;
}

}  // namespace hockney::campaign
