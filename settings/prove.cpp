#include "settings/prove.hpp"

#include <algorithm>
#include <optional>

#include "core/names.hpp"
#include "settings/asked_number.hpp"
#include "settings/steering.hpp"

namespace hockney {
namespace {

/// Libraries that show every variable they know, if it is of a component in use.
bool shows_all(std::string_view variable) {
  return variable.starts_with("OMPI_MCA_") || variable.starts_with("MPIR_CVAR_");
}

AskedSetting judge_unknown(AskedSetting setting, const std::vector<ControlVariable>& variables) {
  if (is_for_launcher(setting.variable)) {
    setting.reason = "it is for the launcher";
    return setting;
  }
  if (!shows_all(setting.variable) || variables.empty()) {
    setting.reason = "the library does not show it";
    return setting;
  }
  std::vector<std::string> names;
  names.reserve(variables.size());
  for (const ControlVariable& known : variables) names.push_back(environment_name(known));
  setting.proof = Proof::ignored;
  setting.reason = "the library has no such variable here, did you mean '" +
                   nearest_name(setting.variable, names) + "'?";
  return setting;
}

/// "send,put" of a set of flags is the sum of its parts.
std::optional<std::int64_t> chosen_number(const std::string& asked,
                                          const std::vector<PermittedValue>& choices) {
  std::int64_t sum = 0;
  for (const std::string& part : split(asked, ',')) {
    const auto choice = std::ranges::find(choices, part, &PermittedValue::name);
    const auto number = choice != choices.end() ? choice->number : asked_number(part);
    if (!number) return std::nullopt;
    sum |= *number;
  }
  return sum;
}

bool is_boolean(const std::vector<PermittedValue>& choices) {
  return choices == std::vector<PermittedValue>{{"false", 0}, {"true", 1}};
}

bool equal(const std::string& asked, const ControlVariable& variable, const std::string& value) {
  if (variable.type == "text") return asked == value;
  const auto in_force = asked_number(value);
  if (is_boolean(variable.choices)) return in_force && asked_boolean(asked) == (*in_force != 0);
  if (!variable.choices.empty())
    return in_force && chosen_number(asked, variable.choices) == in_force;
  if (const auto number = asked_number(asked)) return in_force == number;
  return asked_real(asked) && asked_real(asked) == asked_real(value);
}

/// Intel MPI shows empty texts whatever was asked for, MPICH a number for a name. (What is no name
/// at all MPICH refuses at its start.)
bool hides_value(const ControlVariable& variable, const std::string& asked) {
  if (variable.type == "text") return variable.value == "" && !asked.empty();
  const bool in_words = !asked_number(asked) && !asked_real(asked) && !asked_boolean(asked);
  const auto named = std::ranges::find(variable.choices, asked, &PermittedValue::name);
  return in_words && named == variable.choices.end() && variable.name.starts_with("MPIR_CVAR_");
}

/// The name of a value where it has one, for people.
std::string shown(const ControlVariable& variable, const std::string& value) {
  const auto number = asked_number(value);
  const auto choice = std::ranges::find(variable.choices, number, &PermittedValue::number);
  return number && choice != variable.choices.end() ? choice->name : value;
}

}  // namespace

AskedSetting prove(const std::string& variable, const std::string& asked,
                   const std::vector<ControlVariable>& variables) {
  AskedSetting setting{.variable = variable, .asked = asked};
  const ControlVariable* known = find_variable(variables, variable);
  if (known == nullptr) return judge_unknown(std::move(setting), variables);
  if (!known->value || hides_value(*known, asked)) {
    setting.reason = "the library does not show its value";
    return setting;
  }
  setting.in_force = shown(*known, *known->value);
  setting.proof = equal(asked, *known, *known->value) ? Proof::proven : Proof::ignored;
  if (setting.proof == Proof::ignored) setting.reason = "'" + *setting.in_force + "' is in force";
  return setting;
}

std::vector<AskedSetting> prove_all(const std::map<std::string, std::string>& environment,
                                    const std::vector<ControlVariable>& variables) {
  std::vector<AskedSetting> settings;
  for (const auto& [variable, asked] : environment) {
    if (asks_for_setting(variable)) settings.push_back(prove(variable, asked, variables));
  }
  return settings;
}

std::string complaint_of(const AskedSetting& setting) {
  return setting.variable + "=" + setting.asked + ": " + setting.reason;
}

}  // namespace hockney
