#include "report/xml_text.hpp"

#include <catch2/catch.hpp>

using namespace hockney;

TEST_CASE("what means something in XML is escaped") {
  CHECK(xml_text("a <= b & \"c\" > 'd'") == "a &lt;= b &amp; &quot;c&quot; &gt; 'd'");
  CHECK(xml_text("two\nlines\tand\r") == "two&#10;lines&#9;and&#13;");
}

TEST_CASE("what XML cannot hold becomes a question mark") {
  CHECK(xml_text(std::string("nul\0", 4)) == "nul?");
  CHECK(xml_text("bell\a") == "bell?");
  CHECK(xml_text("\xC3\xBC \xE2\x89\xA4 \xF0\x9F\x98\x80") ==
        "\xC3\xBC \xE2\x89\xA4 \xF0\x9F\x98\x80");
  CHECK(xml_text("latin \xFC!") == "latin ?!");
  CHECK(xml_text("cut \xE2\x89") == "cut ??");
  CHECK(xml_text("overlong \xC0\xAF") == "overlong ??");
  CHECK(xml_text("surrogate \xED\xA0\x80") == "surrogate ???");
  CHECK(xml_text("too large \xF5\x80\x80\x80") == "too large ????");
}
