#include "core/document_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/text.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

constexpr int levels_with_lines = 2;  // the document and its members

/// "1.5e-7" for "1.5e-07".
void append_exponent(std::string& text, std::string_view exponent) {
  if (exponent.front() == '-') text += '-';
  text += exponent.substr(exponent.find_first_not_of("+-0"));
}

/// Digits are those of std::to_chars: the fewest that read back as the same number. nlohmann's
/// writer (3.11, Grisu2) has more for one number in a thousand. Without an exponent std::to_chars
/// writes all digits of a large number, of which a double has only 15 to 17.
void append_number(std::string& text, double number) {
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  constexpr double large = 1e15;
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  char* const limit = begin + buffer.size();
  const char* const end =
      std::abs(number) < large
          ? std::to_chars(begin, limit, number).ptr
          : std::to_chars(begin, limit, number, std::chars_format::scientific).ptr;
  const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
  const std::size_t exponent = digits.find('e');
  text += digits.substr(0, exponent);
  if (exponent != std::string_view::npos) {
    text += 'e';
    append_exponent(text, digits.substr(exponent + 1));
  } else if (digits.find('.') == std::string_view::npos) {
    text += ".0";
  }
}

bool has_parts(const Json& json) {
  return std::ranges::any_of(json, [](const Json& item) { return item.is_structured(); });
}

/// Appends JSON to a text.
class Writer {
 public:
  explicit Writer(std::string& text) : text_(text) {}

  void add(const Json& json, int level) {  // NOLINT(misc-no-recursion)
    if (json.is_structured()) {
      add_items(json, level);
    } else if (json.is_number_float()) {
      append_number(text_, json.get<double>());
    } else {
      add_plain(json);
    }
  }

 private:
  void add_items(const Json& json, int level) {  // NOLINT(misc-no-recursion)
    const bool has_lines = level < levels_with_lines && (level == 0 || has_parts(json));
    const bool is_object = json.is_object();
    text_ += is_object ? '{' : '[';
    for (auto item = json.begin(); item != json.end(); ++item) {
      if (item != json.begin()) text_ += ',';
      if (has_lines) begin_line(level + 1);
      if (is_object) {
        add_plain(item.key());
        text_ += has_lines ? ": " : ":";
      }
      add(*item, level + 1);
    }
    if (has_lines && !json.empty()) begin_line(level);
    text_ += is_object ? '}' : ']';
  }

  void begin_line(int level) {
    text_ += '\n';
    text_.append(static_cast<std::size_t>(level), ' ');
  }

  void add_plain(const Json& json) {
    text_ += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  std::string& text_;
};

}  // namespace

std::string document_text(const Json& document) {
  std::string text;
  Writer(text).add(document, 0);
  return escaped(text, Breaks::kept) + "\n";
}

}  // namespace hockney
