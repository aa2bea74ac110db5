#include "report/junit.hpp"

#include <catch2/catch.hpp>

namespace hockney::report {

TEST_CASE("what means something in XML is escaped") {
  CHECK(xml_text("a <= b & \"c\" > 'd'") == "a &lt;= b &amp; &quot;c&quot; &gt; 'd'");
  CHECK(xml_text("two\nlines\tand\r") == "two&#10;lines&#9;and\\u000d");
}

TEST_CASE("what XML cannot hold shows itself") {
  CHECK(xml_text(std::string("nul\0", 4)) == "nul\\u0000");
  CHECK(xml_text("bell\a <\x1b[31m>") == "bell\\u0007 &lt;\\u001b[31m&gt;");
  CHECK(xml_text("\xC3\xBC \xE2\x89\xA4 \xE2\x80\xAE") == "\xC3\xBC \xE2\x89\xA4 \\u202e");
  CHECK(xml_text("latin \xFC!") == "latin \\xfc!");
}

}  // namespace hockney::report
