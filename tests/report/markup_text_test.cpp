#include <catch2/catch.hpp>

#include "report/exports.hpp"

namespace hockney::report {
namespace {

std::string xml(std::string_view text) { return markup_text(text, Breaks::kept); }

}  // namespace

TEST_CASE("what means something in XML is escaped") {
  CHECK(xml("a <= b & \"c\" > 'd'") == "a &lt;= b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(xml("two\nlines\tand\r") == "two&#10;lines&#9;and\\u000d");
}

TEST_CASE("what XML cannot hold shows itself") {
  CHECK(xml(std::string("nul\0", 4)) == "nul\\u0000");
  CHECK(xml("bell\a <\x1b[31m>") == "bell\\u0007 &lt;\\u001b[31m&gt;");
  CHECK(xml("\xC3\xBC \xE2\x89\xA4 \xE2\x80\xAE") == "\xC3\xBC \xE2\x89\xA4 \\u202e");
  CHECK(xml("latin \xFC!") == "latin \\xfc!");
}

TEST_CASE("without breaks text is of one line") {
  CHECK(markup_text("r\xE2\x80\xAEtl\n<") == "r\\u202etl &lt;");
}

}  // namespace hockney::report
