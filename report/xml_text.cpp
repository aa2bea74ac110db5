#include "report/xml_text.hpp"

#include "core/inert_text.hpp"

namespace hockney {
namespace {

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
    default:
      return std::string(1, character);
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char character : inert(text, Breaks::kept)) result += one_byte(character);
  return result;
}

}  // namespace hockney
