#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hockney {

/// How an enumerator is spelled.
template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

/// The spelling of an enumerator by the table of its enum, which names every one of them.
template <class Enum, std::size_t count>
constexpr std::string_view word_of(const std::array<Word<Enum>, count>& words, Enum value) {
  for (const Word<Enum>& known : words) {
    if (known.value == value) return known.text;
  }
  return {};
}

}  // namespace hockney
