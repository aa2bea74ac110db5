#include "report/junit.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace hockney;

namespace {

std::string xml(const std::vector<JUnitSuite>& suites) {
  std::ostringstream text;
  print_junit(text, suites);
  return text.str();
}

std::string name_as_xml(const std::string& name) {
  const std::string text = xml({{"s", {{.classname = "c", .name = name}}}});
  const std::size_t begin = text.find("c\" name=\"") + 9;
  return text.substr(begin, text.find("\"/>") - begin);
}

}  // namespace

TEST_CASE("a suite is written to the letter") {
  const JUnitSuite suite{"guidelines",
                         {{.classname = "a", .name = "good"},
                          {.classname = "b", .name = "bad", .failure = "twice as long"},
                          {.classname = "b", .name = "open", .skipped = "undecided"}}};
  CHECK(xml({suite}) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites>\n"
        "  <testsuite name=\"guidelines\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\">\n"
        "    <testcase classname=\"a\" name=\"good\"/>\n"
        "    <testcase classname=\"b\" name=\"bad\">\n"
        "      <failure message=\"twice as long\">twice as long</failure>\n"
        "    </testcase>\n"
        "    <testcase classname=\"b\" name=\"open\">\n"
        "      <skipped message=\"undecided\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

TEST_CASE("no suites are a document too") {
  CHECK(xml({}) == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n</testsuites>\n");
}

TEST_CASE("what means something in XML is escaped") {
  CHECK(name_as_xml("a <= b & \"c\" > 'd'") == "a &lt;= b &amp; &quot;c&quot; &gt; 'd'");
  CHECK(name_as_xml("two\nlines\tand\r") == "two&#10;lines&#9;and&#13;");
}

TEST_CASE("what XML cannot hold becomes a question mark") {
  CHECK(name_as_xml(std::string("nul\0", 4)) == "nul?");
  CHECK(name_as_xml("bell\a") == "bell?");
  CHECK(name_as_xml("\xC3\xBC \xE2\x89\xA4 \xF0\x9F\x98\x80") ==
        "\xC3\xBC \xE2\x89\xA4 \xF0\x9F\x98\x80");
  CHECK(name_as_xml("latin \xFC!") == "latin ?!");
  CHECK(name_as_xml("cut \xE2\x89") == "cut ??");
  CHECK(name_as_xml("overlong \xC0\xAF") == "overlong ??");
  CHECK(name_as_xml("surrogate \xED\xA0\x80") == "surrogate ???");
  CHECK(name_as_xml("too large \xF5\x80\x80\x80") == "too large ????");
}
