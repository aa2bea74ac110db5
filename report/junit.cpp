#include "report/junit.hpp"

#include <algorithm>
#include <string_view>

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

/// For attributes in double quotes, and for text.
std::string escaped(std::string_view text) {
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

void print_case(std::ostream& out, const JUnitCase& one) {
  out << "    <testcase classname=\"" << escaped(one.classname) << "\" name=\"" << escaped(one.name)
      << '"';
  if (!one.failure && !one.skipped) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  if (one.failure) {
    out << "      <failure message=\"" << escaped(*one.failure) << "\">" << escaped(*one.failure)
        << "</failure>\n";
  } else {
    out << "      <skipped message=\"" << escaped(*one.skipped) << "\"/>\n";
  }
  out << "    </testcase>\n";
}

void print_suite(std::ostream& out, const JUnitSuite& suite) {
  const auto failed = [](const JUnitCase& one) { return one.failure.has_value(); };
  const auto skipped = [](const JUnitCase& one) { return !one.failure && one.skipped.has_value(); };
  out << "  <testsuite name=\"" << escaped(suite.name) << "\" tests=\"" << suite.cases.size()
      << "\" failures=\"" << std::ranges::count_if(suite.cases, failed)
      << "\" errors=\"0\" skipped=\"" << std::ranges::count_if(suite.cases, skipped) << "\">\n";
  for (const JUnitCase& one : suite.cases) print_case(out, one);
  out << "  </testsuite>\n";
}

}  // namespace

void print_junit(std::ostream& out, const std::vector<JUnitSuite>& suites) {
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const JUnitSuite& suite : suites) print_suite(out, suite);
  out << "</testsuites>\n";
}

}  // namespace hockney
