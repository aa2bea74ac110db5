#include "core/settings/control_variable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_fields.hpp"
#include "core/secrets.hpp"
#include "core/text.hpp"

namespace hockney {

constexpr auto fields_of(std::type_identity<PermittedValue>) {
  return object_of(key("name", &PermittedValue::name),
                   key("number", &PermittedValue::number, any_integer));
}

constexpr auto fields_of(std::type_identity<ControlVariable>) {
  return object_of(key("name", &ControlVariable::name), key("aliases", &ControlVariable::aliases),
                   key("description", &ControlVariable::description),
                   key("type", &ControlVariable::type), key("scope", &ControlVariable::scope),
                   key("value", &ControlVariable::value),
                   key("choices", &ControlVariable::choices));
}

namespace {

std::optional<std::int64_t> multiplier(std::string_view unit) {
  if (unit.empty()) return 1;
  if (unit.size() != 1) return std::nullopt;
  constexpr std::string_view units = "kmgKMG";
  const std::size_t at = units.find(unit.front());
  if (at == std::string_view::npos) return std::nullopt;
  return std::int64_t{1} << (10 * (at % 3 + 1));
}

constexpr std::string_view open_mpi_prefix = "OMPI_MCA_";

/// MPICH and Intel MPI name their variables as the environment does.
bool is_environment_name(std::string_view name) {
  return name.starts_with("MPIR_CVAR_") || name.starts_with("I_MPI_");
}

}  // namespace

std::optional<std::int64_t> asked_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  const auto factor = multiplier(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!factor || number > std::numeric_limits<std::int64_t>::max() / *factor) return std::nullopt;
  return number * *factor;
}

std::optional<double> asked_real(std::string_view text) { return as_number<double>(text); }

std::optional<bool> asked_boolean(std::string_view text) {
  constexpr std::array<std::string_view, 6> yes{"true", "t", "yes", "y", "on", "enabled"};
  constexpr std::array<std::string_view, 6> no{"false", "f", "no", "n", "off", "disabled"};
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::find(yes, word) != yes.end()) return true;
  if (std::ranges::find(no, word) != no.end()) return false;
  const auto number = asked_number(text);
  return number ? std::optional(*number != 0) : std::nullopt;
}

const ControlVariable* find_variable(const std::vector<ControlVariable>& variables,
                                     const std::string& environment) {
  const auto is_it = [&](const ControlVariable& variable) {
    return environment_name(variable) == environment ||
           std::ranges::find(variable.aliases, environment) != variable.aliases.end();
  };
  const auto found = std::ranges::find_if(variables, is_it);
  return found == variables.end() ? nullptr : &*found;
}

std::string environment_name(const ControlVariable& variable) {
  if (is_environment_name(variable.name)) return variable.name;
  return std::string(open_mpi_prefix) + variable.name;
}

nlohmann::json to_json(const std::vector<ControlVariable>& variables) {
  std::vector<ControlVariable> kept = variables;
  for (ControlVariable& variable : kept) {
    if (variable.value) variable.value = without_secret(variable.name, *variable.value);
  }
  return {{"schema", settings_schema}, {"variables", kept}};
}

std::vector<ControlVariable> read_variables(const JsonNode& document) {
  document.require_schema(settings_schema, "use the hockney-settings of the same version");
  return read_value<std::vector<ControlVariable>>(document.at("variables"));
}

}  // namespace hockney
