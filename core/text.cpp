#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>

namespace hockney {
namespace {

/// Levenshtein distance: the fewest insertions, deletions and replacements of one letter. Its time
/// grows with the product of the lengths, so long names are compared by their beginning.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  from = from.substr(0, longest_name);
  to = to.substr(0, longest_name);
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// Ranges of the first two bytes of multi-byte characters; the other bytes are 80 to BF.
struct Utf8Range {
  unsigned char first_from;
  unsigned char first_to;
  unsigned char second_from;
  unsigned char second_to;
  std::size_t bytes;
};

/// RFC 3629, section 4.
constexpr std::array<Utf8Range, 8> sequences{{{0xC2, 0xDF, 0x80, 0xBF, 2},
                                              {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                              {0xE1, 0xEC, 0x80, 0xBF, 3},
                                              {0xED, 0xED, 0x80, 0x9F, 3},
                                              {0xEE, 0xEF, 0x80, 0xBF, 3},
                                              {0xF0, 0xF0, 0x90, 0xBF, 4},
                                              {0xF1, 0xF3, 0x80, 0xBF, 4},
                                              {0xF4, 0xF4, 0x80, 0x8F, 4}}};

struct CodeRange {
  char32_t first;
  char32_t last;
};

/// Categories Cc, Cf, Zl and Zp of UnicodeData.txt, version 15.0.
constexpr std::array<CodeRange, 22> invisible{
    {{0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},       {0x600, 0x605},
     {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},
     {0x8E2, 0x8E2},     {0x180E, 0x180E},   {0x200B, 0x200F},   {0x2028, 0x202E},
     {0x2060, 0x2064},   {0x2066, 0x206F},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},
     {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
     {0x1D173, 0x1D17A}, {0xE0001, 0xE007F}}};

bool lies_in(char character, unsigned char from, unsigned char to) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= from && byte <= to;
}

bool begins(std::string_view text, const Utf8Range& sequence) {
  return lies_in(text[0], sequence.first_from, sequence.first_to) &&
         (text.size() < 2 || lies_in(text[1], sequence.second_from, sequence.second_to)) &&
         std::ranges::all_of(text.substr(std::min<std::size_t>(text.size(), 2)),
                             [](char rest) { return lies_in(rest, 0x80, 0xBF); });
}

/// The kind of character that non-empty `text` begins with, or would with more bytes.
const Utf8Range* sequence_of(std::string_view text) {
  const auto* const found = std::ranges::find_if(sequences, [&](const Utf8Range& sequence) {
    return begins(text.substr(0, sequence.bytes), sequence);
  });
  return found == sequences.end() ? nullptr : found;
}

/// Length of the UTF-8 character at the start of non-empty `text` [B]; 0 if it is invalid.
std::size_t character_bytes(std::string_view text) {
  if (lies_in(text.front(), 0x00, 0x7F)) return 1;
  const Utf8Range* const sequence = sequence_of(text);
  return sequence == nullptr || text.size() < sequence->bytes ? 0 : sequence->bytes;
}

char32_t code_of(std::string_view character) {
  constexpr std::array<unsigned, 5> first_masks{0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = static_cast<unsigned char>(character[0]) & first_masks[character.size()];
  for (const char rest : character.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(rest) & 0x3FU);
  }
  return code;
}

std::string hexadecimal(const char* format, unsigned number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

/// \uXXXX; two of them, a surrogate pair, beyond U+FFFF.
std::string escape(char32_t code) {
  constexpr char32_t first_long = 0x10000;
  if (code < first_long) return hexadecimal("\\u%04x", code);
  const char32_t rest = code - first_long;
  return hexadecimal("\\u%04x", 0xD800 + (rest >> 10U)) +
         hexadecimal("\\u%04x", 0xDC00 + (rest & 0x3FFU));
}

bool is_break(char32_t code) {
  return (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
}

std::string shown(std::string_view character, Breaks breaks) {
  const char32_t code = code_of(character);
  if (code == '\\' && breaks == Breaks::escaped) return "\\\\";
  const bool is_visible = std::ranges::none_of(
      invisible, [&](const CodeRange& range) { return code >= range.first && code <= range.last; });
  const bool is_kept = breaks == Breaks::kept && (code == '\n' || code == '\t');
  if (is_visible || is_kept) return std::string(character);
  if (breaks == Breaks::blanks && is_break(code)) return " ";
  return escape(code);
}

/// Most texts contain only these characters.
bool is_plain(char letter) { return letter >= ' ' && letter <= '~' && letter != '\\'; }

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t most_edits = 2;
  const auto distance = [&](const std::string& candidate) {
    return edit_distance(name, candidate);
  };
  const auto nearest = std::ranges::min_element(candidates, {}, distance);
  if (nearest == candidates.end()) return {};
  const std::size_t edits = distance(*nearest);
  const bool is_near = edits <= most_edits && edits < std::max(name.size(), nearest->size()) &&
                       name.size() <= longest_name;
  return is_near ? "did you mean '" + *nearest + "'?" : "";
}

std::string suggest(std::string_view name, const std::vector<std::string>& candidates,
                    std::string_view list) {
  constexpr std::size_t most_shown = 12;
  constexpr std::size_t few = 5;
  if (candidates.empty()) return {};
  std::string text = did_you_mean(name, candidates);
  if (!text.empty()) text += ' ';
  if (candidates.size() <= most_shown) return text + "Valid: " + join(candidates);
  std::vector<std::string> nearest = candidates;
  std::ranges::stable_sort(
      nearest, {}, [&](const std::string& candidate) { return edit_distance(name, candidate); });
  nearest.resize(few);
  text += "Nearest of " + std::to_string(candidates.size()) + ": " + join(nearest);
  return list.empty() ? text : text + "; all: " + std::string(list);
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::string_view begin = text.substr(0, most / 2);
  begin.remove_suffix(unfinished_bytes(begin));
  std::string_view end = text.substr(text.size() - most / 4);
  const auto is_inside = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
  };
  while (!end.empty() && is_inside(end.front())) end.remove_prefix(1);
  return std::string(begin) + "..." + std::string(end) + " (" + std::to_string(text.size()) +
         " bytes)";
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  for (const std::string& word : split(text, ' ')) {
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (line.size() + 1 + word.size() <= width) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::string join_assignments(const std::map<std::string, std::string>& assignments,
                             std::string_view separator) {
  std::vector<std::string> parts;
  parts.reserve(assignments.size());
  for (const auto& [key, value] : assignments) parts.emplace_back(key).append("=").append(value);
  return join(parts, separator);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string escaped(std::string_view text, Breaks breaks) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t bytes = character_bytes(text);
    result += bytes == 0 ? hexadecimal("\\x%02x", static_cast<unsigned char>(text.front()))
                         : shown(text.substr(0, bytes), breaks);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::size_t unfinished_bytes(std::string_view text) {
  constexpr std::size_t longest = 3;
  for (std::size_t bytes = std::min(longest, text.size()); bytes > 0; --bytes) {
    const std::string_view end = text.substr(text.size() - bytes);
    const Utf8Range* const sequence = sequence_of(end);
    if (sequence != nullptr && bytes < sequence->bytes) return bytes;
  }
  return 0;
}

}  // namespace hockney
