#include "core/settings/control_variable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

std::optional<std::int64_t> multiplier(std::string_view unit) {
  if (unit.empty()) return 1;
  if (unit.size() != 1) return std::nullopt;
  constexpr std::string_view units = "kmgKMG";
  const std::size_t at = units.find(unit.front());
  if (at == std::string_view::npos) return std::nullopt;
  return std::int64_t{1} << (10 * (at % 3 + 1));
}

using Json = nlohmann::json;

constexpr std::string_view open_mpi_prefix = "OMPI_MCA_";

Json to_json(const ControlVariable& variable) {
  Json choices = Json::array();
  for (const PermittedValue& choice : variable.choices) {
    choices.push_back({{"name", choice.name}, {"number", or_null(choice.number)}});
  }
  return {{"name", variable.name},
          {"aliases", variable.aliases},
          {"description", variable.description},
          {"type", variable.type},
          {"scope", variable.scope},
          {"value", or_null(variable.value)},
          {"choices", std::move(choices)}};
}

PermittedValue read_choice(const JsonNode& node) {
  PermittedValue choice{.name = node.at("name").text()};
  if (const auto number = node.find("number")) choice.number = number->integer();
  return choice;
}

ControlVariable read_variable(const JsonNode& node) {
  ControlVariable variable{.name = node.at("name").text(),
                           .aliases = node.at("aliases").texts(),
                           .description = node.at("description").text(),
                           .type = node.at("type").text(),
                           .scope = node.at("scope").text()};
  if (const auto value = node.find("value")) variable.value = value->text();
  for (const JsonNode& choice : node.at("choices").elements()) {
    variable.choices.push_back(read_choice(choice));
  }
  return variable;
}

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

Json to_json(const std::vector<ControlVariable>& variables) {
  Json array = Json::array();
  for (const ControlVariable& variable : variables) array.push_back(to_json(variable));
  return {{"schema", settings_schema}, {"variables", std::move(array)}};
}

std::vector<ControlVariable> read_variables(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() != settings_schema) {
    schema.reject("is '" + schema.text() + "'", "this hockney does not know it",
                  "use the hockney-settings of the same version");
  }
  std::vector<ControlVariable> variables;
  for (const JsonNode& node : document.at("variables").elements()) {
    variables.push_back(read_variable(node));
  }
  return variables;
}

}  // namespace hockney
