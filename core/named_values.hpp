#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {

/// A value of an enumeration with its name, on command lines and in records.
template <class Enum>
struct NamedValue {
  Enum value;
  std::string_view name;
};

/// All values of an enumeration that have a name.
template <class Enum, std::size_t count>
using NamedValues = std::array<NamedValue<Enum>, count>;

/// The names, in the order of the table.
template <class Enum, std::size_t count>
std::vector<std::string> names_in(const NamedValues<Enum, count>& table) {
  return strings_of(table, [](const auto& named) { return std::string(named.name); });
}

/// The name of a value; empty for one that has none.
template <class Enum, std::size_t count>
std::string name_in(const NamedValues<Enum, count>& table, Enum value) {
  const auto found = std::ranges::find(table, value, &NamedValue<Enum>::value);
  return found == table.end() ? std::string() : std::string(found->name);
}

/// The value of a name; nullopt for one that is not in the table.
template <class Enum, std::size_t count>
std::optional<Enum> find_in(const NamedValues<Enum, count>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &NamedValue<Enum>::name);
  return found == table.end() ? std::nullopt : std::optional(found->value);
}

/// The value of a name; otherwise InputError of this problem and reason, naming the nearest.
template <class Enum, std::size_t count>
Enum value_in(const NamedValues<Enum, count>& table, std::string_view name,
              const std::string& problem, const std::string& why) {
  if (const auto value = find_in(table, name)) return *value;
  throw InputError({problem, why, suggest(name, names_in(table))});
}

}  // namespace hockney
