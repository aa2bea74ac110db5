#include "report/settings_table.hpp"

#include <algorithm>
#include <string>

#include "core/inert_text.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

std::string value_text(const ControlVariable& variable) {
  if (!variable.value) return "?";
  const auto has_value = [&](const PermittedValue& choice) {
    return choice.number && std::to_string(*choice.number) == *variable.value;
  };
  const auto choice = std::ranges::find_if(variable.choices, has_value);
  if (choice != variable.choices.end()) return choice->name;
  return variable.value->empty() ? "''" : *variable.value;
}

}  // namespace

void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables) {
  for (const ControlVariable& variable : variables) {
    out << inert(environment_name(variable) + " = " + value_text(variable));
    if (!variable.scope.empty()) out << "  (" << inert(variable.scope) << ")";
    out << '\n';
    if (!variable.aliases.empty()) out << "    also: " << inert(join(variable.aliases)) << '\n';
    if (variable.choices.empty()) continue;
    out << "    one of: " << inert(join(strings_of(variable.choices, &PermittedValue::name)))
        << '\n';
  }
}

}  // namespace hockney
