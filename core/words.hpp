#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hockney {

template <class Enum>
concept WordedEnum = std::is_enum_v<Enum> && requires {
  words_of(std::type_identity<Enum>{});
};

/// The words of an enum in documents and options, in the order of its enumerators, which count from
/// 0. They are what words_of gives, a function of the enum's namespace that stands beside it:
///   constexpr auto words_of(std::type_identity<Colour>) {
///     return std::to_array<std::string_view>({"red", "green"});
///   }
template <WordedEnum Enum>
inline constexpr auto enum_words = words_of(std::type_identity<Enum>{});

template <WordedEnum Enum>
constexpr std::string_view word(Enum value) {
  return enum_words<Enum>.at(static_cast<std::size_t>(value));
}

/// The enumerator of a word; nullopt for any other text.
template <WordedEnum Enum>
constexpr std::optional<Enum> find_word(std::string_view text) {
  const auto& words = enum_words<Enum>;
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

/// All words of an enum, for suggestions.
template <WordedEnum Enum>
std::vector<std::string> valid_words() {
  return {enum_words<Enum>.begin(), enum_words<Enum>.end()};
}

}  // namespace hockney
