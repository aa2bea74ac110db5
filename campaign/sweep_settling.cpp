#include "campaign/sweep_settling.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

void check_exceptions(const Axis& axis, const ControlVariable& variable, const std::string& file) {
  const std::vector<std::string> names = strings_of(variable.choices, &PermittedValue::name);
  for (const std::string& name : axis.except) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw InputError({file + ": axis '" + axis.name + "' excepts '" + name + "'",
                      "the library lists no such value of '" + axis.variable + "'",
                      suggest(name, names)});
  }
}

bool is_in_force(const ControlVariable& variable, const PermittedValue& choice) {
  if (!variable.value) return false;
  return choice.name == *variable.value ||
         (choice.number && std::to_string(*choice.number) == *variable.value);
}

std::vector<AxisValue> asked_values(const Axis& axis, const Asker& ask, const std::string& file) {
  const ControlVariable variable = ask(axis.variable);
  if (variable.choices.empty()) {
    throw InputError({file + ": the values of '" + axis.variable + "' are not known",
                      "the MPI library does not list them",
                      "give axis '" + axis.name + "' a list in place of \"ask\""});
  }
  check_exceptions(axis, variable, file);
  std::vector<AxisValue> values{{.name = std::string(default_value)}};
  for (const PermittedValue& choice : variable.choices) {
    const bool excepted = std::ranges::find(axis.except, choice.name) != axis.except.end();
    const bool is_default = choice.name == default_value && !choice.number;
    if (excepted || is_default || is_in_force(variable, choice)) continue;
    // Open MPI calls its first algorithm of allgatherv "default".
    if (choice.name == default_value && choice.number) {
      const std::string number = std::to_string(*choice.number);
      values.push_back(axis_value("algorithm-" + number, axis.variable, number));
      continue;
    }
    values.push_back(axis_value(value_name(choice.name), axis.variable, choice.name));
  }
  return values;
}

}  // namespace

Sweep resolve_values(const Sweep& sweep, const Asker& ask, const std::string& file) {
  Sweep resolved = sweep;
  for (Axis& axis : resolved.axes) {
    if (!axis.values) axis.values = asked_values(axis, ask, file);
  }
  check_sweep(resolved, file);
  return resolved;
}

std::vector<SkippedCombination> settle_sweep(CampaignConfig& config, std::uint64_t seed,
                                             const Asker& ask, const std::string& file) {
  if (!config.sweep || is_expanded(config)) return {};
  Expansion expansion = expand(resolve_values(*config.sweep, ask, file), seed);
  if (expansion.settings.empty()) {
    throw InputError(
        {file + ": nothing is left of the sweep",
         "its conditions skip all " + std::to_string(expansion.skipped.size()) + " combinations",
         "check 'conditions'"});
  }
  config.settings = std::move(expansion.settings);
  return std::move(expansion.skipped);
}

}  // namespace hockney
