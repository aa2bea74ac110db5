#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace hockney {

/// "did you mean 'pingpong'?" with the candidate nearest to `name`. Empty, to avoid a guess, if
/// none is within two edits, or if the edits are as many as its letters.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "did you mean 'pingpong'? Valid: pingpong, exchange" for the suggestion part of a message. If
/// there are many candidates: the nearest few, the number of all, and where they are listed.
std::string suggest(std::string_view name, const std::vector<std::string>& candidates,
                    std::string_view list = "");

/// A list with `part`, a member or a function, of each item.
template <std::ranges::sized_range Items, class Part>
std::vector<std::string> strings_of(const Items& items, Part part) {
  std::vector<std::string> strings;
  strings.reserve(std::ranges::size(items));
  for (const auto& item : items) strings.push_back(std::invoke(part, item));
  return strings;
}

/// Longest name in messages and in the search for the nearest one [B].
inline constexpr std::size_t longest_name = 200;

/// The beginning and end of a text of more than `most` bytes, with its length: "abc...xyz (100000
/// bytes)". Shorter texts stay as they are. UTF-8 characters are not cut.
std::string shortened(std::string_view text, std::size_t most = longest_name);

/// "a, b, c"
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// "0, 1, 5"
template <std::ranges::input_range Integers>
std::string join_numbers(const Integers& numbers, std::string_view separator = ", ") {
  return join(strings_of(numbers, [](std::integral auto number) { return std::to_string(number); }),
              separator);
}

/// Breaks a text into lines of at most `width` characters; longer words get a line of their own. An
/// empty text gives one empty line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// "cache=hot,window=64": every key with its value.
std::string join_assignments(const std::map<std::string, std::string>& assignments,
                             std::string_view separator = ",");

/// "a,b,,c" to {"a","b","","c"}; an empty text gives one empty part.
std::vector<std::string> split(std::string_view text, char separator);

/// Parses all of `text` as a number; nullopt if it is none, or does not fit.
template <class Number>
std::optional<Number> as_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// Treatment of line breaks and tabs (also U+0085, U+2028 and U+2029) in escaped text.
enum class Breaks {
  blanks,   ///< a blank each, for tables and messages of one line
  kept,     ///< \n and \t stay, for documents and whole outputs
  escaped,  ///< escaped, and backslashes doubled: reversible
};

/// Escapes untrusted text, such as names in a record, so that it cannot drive a terminal. Control,
/// format and separator characters of Unicode (categories Cc, Cf, Zl and Zp) become \uXXXX, as in
/// JSON. They include escape sequences, bidirectional controls and characters without width. Bytes
/// that are no UTF-8 (RFC 3629) become \xNN. All other text stays as it is.
std::string escaped(std::string_view text, Breaks breaks = Breaks::blanks);

/// Whether all of `text` is UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// Number of bytes at the end of `text`, 0 to 3, that may begin a character whose other bytes
/// follow later.
std::size_t unfinished_bytes(std::string_view text);

template <class Enum>
concept WordedEnum = std::is_enum_v<Enum> && requires {
  words_of(std::type_identity<Enum>{});
};

/// The words of an enum in documents and options, in the order of its enumerators, which count from
/// 0. The enum's namespace has a function words_of beside it:
///   constexpr auto words_of(std::type_identity<Colour>) {
///     return std::to_array<std::string_view>({"red", "green"});
///   }
template <WordedEnum Enum>
inline constexpr auto enum_words = words_of(std::type_identity<Enum>{});

template <WordedEnum Enum>
constexpr std::string_view word(Enum value) {
  return enum_words<Enum>.at(static_cast<std::size_t>(value));
}

/// The enumerator with this word; nullopt if no enumerator has it.
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

/// The enumerator with this word. Otherwise an InputError with this problem and reason that names
/// the nearest word.
template <WordedEnum Enum>
Enum parse_word(std::string_view text, const std::string& problem, const std::string& why) {
  if (const auto found = find_word<Enum>(text)) return *found;
  throw InputError({problem, why, suggest(text, valid_words<Enum>())});
}

}  // namespace hockney
