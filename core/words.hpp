#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hockney {

/// The words of an enum in documents and options, in the order of its enumerators, which count from
/// 0. Specialised beside the enum.
template <class Enum>
inline constexpr std::array<std::string_view, 0> enum_words{};

template <class Enum>
concept WordedEnum = std::is_enum_v<Enum> && !enum_words<Enum>.empty();

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
