#include "report/xml_text.hpp"

#include <algorithm>

namespace hockney {
namespace {

/// Bytes of the UTF-8 character that begins the text, 0 when none does (RFC 3629).
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follow = [&](std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i) {
      if ((byte(i) & 0xC0U) != 0x80U) return false;
    }
    return true;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return follow(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool is_overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool is_surrogate = first == 0xEDU && byte(1) >= 0xA0U;
    return follow(2) && !is_overlong && !is_surrogate ? 3 : 0;
  }
  const bool in_range = (first == 0xF0U && byte(1) >= 0x90U) ||
                        (first >= 0xF1U && first <= 0xF3U) || (first == 0xF4U && byte(1) < 0x90U);
  return in_range && follow(3) ? 4 : 0;
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
