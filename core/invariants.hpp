#pragma once

#include <fmt/format.h>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/json_node.hpp"

// Relations between the values of a document. They are checked after reading; types and units of
// single numbers are checked while reading (core/json_fields.hpp).

namespace hockney {

/// A relation that holds in every undamaged document of a type.
template <class Document>
struct Invariant {
  std::string_view statement;
  /// The key of the first value that breaks it, such as "series[0].blocks"; empty if none does.
  std::string (*broken)(const Document&);
};

/// InputError about the value of a key below `node`.
[[noreturn]] void reject_broken(const JsonNode& node, const std::string& key,
                                std::string_view statement);

/// InputError for the first invariant that is broken. Names the value and the statement.
template <class Document, class Table>
void check_invariants(const Table& invariants, const JsonNode& node, const Document& document) {
  for (const Invariant<Document>& invariant : invariants) {
    const std::string key = invariant.broken(document);
    if (!key.empty()) reject_broken(node, key, invariant.statement);
  }
}

// The broken key of common relations; empty if they hold.

/// A number that may be unknown.
struct KeyNumber {
  std::string_view key;
  std::optional<double> number;
};

/// Whether `number` is larger, beyond the rounding of sums and differences. Unknown numbers are
/// not.
bool is_above(std::optional<double> number, std::optional<double> most);

/// The first number that is larger than a later one.
std::string descending(std::initializer_list<KeyNumber> numbers);

/// The first number that is larger than `most`.
std::string above(std::optional<double> most, std::initializer_list<KeyNumber> numbers);

/// The first number of a list, or of lists in a list, that is larger than `most`.
template <class List>
std::string above_in(std::string_view key, const List& list, std::optional<double> most) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if constexpr (requires { list[i].size(); }) {
      const std::string found = above_in("", list[i], most);
      if (!found.empty()) return fmt::format("{}[{}]{}", key, i, found);
    } else if (is_above(static_cast<double>(list[i]), most)) {
      return fmt::format("{}[{}]", key, i);
    }
  }
  return {};
}

/// The first key that `broken` returns for an item of a list.
template <class List, class Broken>
std::string broken_in(std::string_view key, const List& list, Broken broken) {
  std::size_t index = 0;
  for (const auto& item : list) {
    const std::string found = broken(item);
    if (!found.empty()) return fmt::format("{}[{}].{}", key, index, found);
    ++index;
  }
  return {};
}

/// The first of the keys that is not empty.
std::string first_of(std::initializer_list<std::string> keys);

/// A bound that other programs write as 0 where it is not measured.
inline std::optional<double> if_known(std::optional<double> number) {
  return number && *number > 0 ? number : std::nullopt;
}

}  // namespace hockney
