#include "report/xml_text.hpp"

#include <algorithm>
#include <array>

namespace hockney {
namespace {

/// Characters of more than one byte whose first two lie in these ranges; the others are 80 to BF.
struct Sequence {
  unsigned char first_from;
  unsigned char first_to;
  unsigned char second_from;
  unsigned char second_to;
  std::size_t bytes;
};

/// RFC 3629, section 4.
constexpr std::array<Sequence, 8> sequences{{{0xC2, 0xDF, 0x80, 0xBF, 2},
                                             {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                             {0xE1, 0xEC, 0x80, 0xBF, 3},
                                             {0xED, 0xED, 0x80, 0x9F, 3},
                                             {0xEE, 0xEF, 0x80, 0xBF, 3},
                                             {0xF0, 0xF0, 0x90, 0xBF, 4},
                                             {0xF1, 0xF3, 0x80, 0xBF, 4},
                                             {0xF4, 0xF4, 0x80, 0x8F, 4}}};

bool lies_in(char character, unsigned char from, unsigned char to) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= from && byte <= to;
}

bool begins_with(std::string_view text, const Sequence& sequence) {
  return text.size() >= sequence.bytes &&
         lies_in(text[0], sequence.first_from, sequence.first_to) &&
         lies_in(text[1], sequence.second_from, sequence.second_to) &&
         std::ranges::all_of(text.substr(2, sequence.bytes - 2),
                             [](char rest) { return lies_in(rest, 0x80, 0xBF); });
}

/// Bytes of the UTF-8 character that begins the text, which is not empty; 0 when none does.
std::size_t character_bytes(std::string_view text) {
  if (lies_in(text.front(), 0x00, 0x7F)) return 1;
  const auto* const found = std::ranges::find_if(
      sequences, [&](const Sequence& sequence) { return begins_with(text, sequence); });
  return found == sequences.end() ? 0 : found->bytes;
}

std::string one_byte(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    default:
      return static_cast<unsigned char>(character) < ' ' ? "?" : std::string(1, character);
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 1) result += one_byte(text.front());
    if (bytes == 0) result += '?';
    if (bytes > 1) result += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

}  // namespace hockney
