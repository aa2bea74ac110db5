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

/// "did you mean 'pingpong'?" of the candidate that is nearest to `name`; empty where none is
/// within two edits, or fewer than its letters: it would be a guess.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "did you mean 'pingpong'? Valid: pingpong, exchange" for the suggestion part of a message. Of
/// many candidates the nearest few, how many there are, and where all of them are listed.
std::string suggest(std::string_view name, const std::vector<std::string>& candidates,
                    std::string_view list = "");

/// What `part`, a member or a function, makes of each of the items.
template <std::ranges::sized_range Items, class Part>
std::vector<std::string> strings_of(const Items& items, Part part) {
  std::vector<std::string> strings;
  strings.reserve(std::ranges::size(items));
  for (const auto& item : items) strings.push_back(std::invoke(part, item));
  return strings;
}

/// Names are this long at most in messages and when the nearest one is looked for [B].
inline constexpr std::size_t longest_name = 200;

/// Beginning and end of a text of more than `most` bytes, with its length: "abc...xyz (100000
/// bytes)". A text of up to `most` bytes stays as it is. No character of UTF-8 is cut.
std::string shortened(std::string_view text, std::size_t most = longest_name);

/// "a, b, c"
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// "0, 1, 5"
template <std::ranges::input_range Integers>
std::string join_numbers(const Integers& numbers, std::string_view separator = ", ") {
  return join(strings_of(numbers, [](std::integral auto number) { return std::to_string(number); }),
              separator);
}

/// The words of a text in lines of at most `width` characters, but for longer words; one empty line
/// of an empty text.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// "cache=hot,window=64": every key with its value.
std::string join_assignments(const std::map<std::string, std::string>& assignments,
                             std::string_view separator = ",");

/// "a,b,,c" to {"a","b","","c"}; an empty text gives one empty part.
std::vector<std::string> split(std::string_view text, char separator);

/// The number that `text` is from its first character to its last; nullopt where it is none, or one
/// that does not fit.
template <class Number>
std::optional<Number> as_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// What becomes of line breaks and tabs (also U+0085, U+2028 and U+2029) in inert text.
enum class Breaks {
  blanks,   ///< a blank each: text of one line, in tables and messages
  kept,     ///< \n and \t stay as they are: documents and whole outputs
  escaped,  ///< like every other control character, and backslashes are doubled: nothing is lost
};

/// Text from elsewhere, such as names in a record, which does nothing to a terminal and shows all
/// that it holds. The control, format and separator characters of Unicode (categories Cc, Cf, Zl
/// and Zp: escape sequences, bidirectional controls, what has no width) become \uXXXX, as in JSON,
/// and bytes that are no UTF-8 (RFC 3629) \xNN. Text without them stays as it is.
std::string inert(std::string_view text, Breaks breaks = Breaks::blanks);

/// Whether all of `text` is UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// Bytes at the end of `text`, 3 at most, that may be the beginning of a character whose other
/// bytes are yet to come.
std::size_t unfinished_bytes(std::string_view text);

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

/// The enumerator of a word; for any other text InputError of this problem and reason, naming the
/// nearest.
template <WordedEnum Enum>
Enum parse_word(std::string_view text, const std::string& problem, const std::string& why) {
  if (const auto found = find_word<Enum>(text)) return *found;
  throw InputError({problem, why, suggest(text, valid_words<Enum>())});
}

}  // namespace hockney
