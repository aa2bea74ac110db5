#include <catch2/catch.hpp>

#include "core/text.hpp"

namespace hockney {

TEST_CASE("text that shows all it holds stays as it is") {
  const std::string text = "µs, größer ≤ 1.5 \xF0\x9F\x98\x80 C:\\node";
  CHECK(escaped(text) == text);
  CHECK(escaped(text, Breaks::kept) == text);
  CHECK(escaped("").empty());
}

TEST_CASE("control characters show themselves") {
  CHECK(escaped("\x1b[31mred\a") == "\\u001b[31mred\\u0007");
  CHECK(escaped(std::string("nul\0", 4)) == "nul\\u0000");
  CHECK(escaped("\x7f \xC2\x80 \xC2\x9F") == "\\u007f \\u0080 \\u009f");
}

TEST_CASE("what turns or hides text shows itself") {
  // U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F, U+061C
  CHECK(escaped("\xE2\x80\xAA\xE2\x80\xAE") == "\\u202a\\u202e");
  CHECK(escaped("\xE2\x81\xA6\xE2\x81\xA9") == "\\u2066\\u2069");
  CHECK(escaped("\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C") == "\\u200e\\u200f\\u061c");
  // no width: U+200B, U+2060, U+FEFF, U+00AD; beyond 16 bits as in JSON: U+E0041
  CHECK(escaped("\xE2\x80\x8B\xE2\x81\xA0\xEF\xBB\xBF\xC2\xAD") == "\\u200b\\u2060\\ufeff\\u00ad");
  CHECK(escaped("\xF3\xA0\x81\x81") == "\\udb40\\udc41");
}

TEST_CASE("what is no UTF-8 shows its bytes") {
  CHECK(escaped("latin \xFC!") == "latin \\xfc!");
  CHECK(escaped("cut \xE2\x89") == "cut \\xe2\\x89");
  CHECK(escaped("overlong \xC0\xAF") == "overlong \\xc0\\xaf");
  CHECK(escaped("surrogate \xED\xA0\x80") == "surrogate \\xed\\xa0\\x80");
  CHECK(escaped("too large \xF5\x80\x80\x80") == "too large \\xf5\\x80\\x80\\x80");
}

TEST_CASE("breaks are blanks, kept or escaped") {
  // \t, \n, \r, U+0085, U+2028, U+2029
  const std::string text =
      "a\tb\nc\rd\xC2\x85"
      "e\xE2\x80\xA8"
      "f\xE2\x80\xA9g";
  CHECK(escaped(text) == "a b c d e f g");
  CHECK(escaped(text, Breaks::kept) == "a\tb\nc\\u000dd\\u0085e\\u2028f\\u2029g");
  CHECK(escaped(text, Breaks::escaped) == "a\\u0009b\\u000ac\\u000dd\\u0085e\\u2028f\\u2029g");
  CHECK(escaped("a\\u000a", Breaks::escaped) == "a\\\\u000a");
}

TEST_CASE("inert text is not made inert again") {
  const std::string once = escaped("\x1b\\\xFF\n", Breaks::kept);
  CHECK(escaped(once, Breaks::kept) == once);
}

TEST_CASE("characters cut at the end are known as such") {
  CHECK(unfinished_bytes("") == 0);
  CHECK(unfinished_bytes("abc") == 0);
  CHECK(unfinished_bytes("\xC3\xBC") == 0);
  CHECK(unfinished_bytes("a\xC3") == 1);
  CHECK(unfinished_bytes("a\xE2\x80") == 2);
  CHECK(unfinished_bytes("\xF0\x9F\x98") == 3);
  CHECK(unfinished_bytes("\xF0\x9F\x98\x80") == 0);
  CHECK(unfinished_bytes("a\xFF") == 0);
  CHECK(unfinished_bytes("\xED\xA0") == 0);  // would be a surrogate
}

}  // namespace hockney
