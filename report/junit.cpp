#include "report/junit.hpp"

#include <algorithm>
#include <locale>
#include <sstream>

namespace hockney::report {
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
    case '\'':
      return "&#39;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    default:
      return std::string(1, character);
  }
}

}  // namespace

std::string markup_text(std::string_view text, Breaks breaks) {
  std::string result;
  for (const char character : inert(text, breaks)) result += one_byte(character);
  return result;
}

namespace {

std::string xml_text(std::string_view text) { return markup_text(text, Breaks::kept); }

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

std::string attribute(const std::string& name, std::size_t value) {
  return attribute(name, std::to_string(value));
}

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::fixed << seconds;
  return text.str();
}

std::size_t failures(const JUnitSuite& suite) {
  return static_cast<std::size_t>(std::ranges::count_if(
      suite.cases, [](const JUnitCase& test) { return test.failure.has_value(); }));
}

std::size_t skips(const JUnitSuite& suite) {
  return static_cast<std::size_t>(std::ranges::count_if(
      suite.cases, [](const JUnitCase& test) { return test.skipped.has_value(); }));
}

double seconds(const JUnitSuite& suite) {
  double sum = 0;
  for (const JUnitCase& test : suite.cases) sum += test.seconds;
  return sum;
}

void write_case(std::ostream& out, const JUnitCase& test) {
  out << "    <testcase" << attribute("classname", test.classname) << attribute("name", test.name)
      << attribute("time", seconds_text(test.seconds));
  if (!test.failure && !test.skipped && test.output.empty()) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  if (test.failure) {
    out << "      <failure" << attribute("message", test.failure->message)
        << attribute("type", test.failure->type) << ">" << xml_text(test.failure->text)
        << "</failure>\n";
  }
  if (test.skipped) out << "      <skipped" << attribute("message", *test.skipped) << "/>\n";
  if (!test.output.empty()) {
    out << "      <system-out>" << xml_text(test.output) << "</system-out>\n";
  }
  out << "    </testcase>\n";
}

void write_suite(std::ostream& out, const JUnitSuite& suite) {
  out << "  <testsuite" << attribute("name", suite.name) << attribute("tests", suite.cases.size())
      << attribute("failures", failures(suite)) << attribute("errors", std::size_t{0})
      << attribute("skipped", skips(suite)) << attribute("time", seconds_text(seconds(suite)));
  if (!suite.timestamp_utc.empty()) {
    // The format knows no zone; Ant writes UTC.
    out << attribute("timestamp", suite.timestamp_utc.substr(0, suite.timestamp_utc.find('Z')));
  }
  out << ">\n";
  for (const JUnitCase& test : suite.cases) write_case(out, test);
  out << "  </testsuite>\n";
}

}  // namespace

void write_junit(std::ostream& out, const std::vector<JUnitSuite>& suites) {
  std::size_t tests = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  double time = 0;
  for (const JUnitSuite& suite : suites) {
    tests += suite.cases.size();
    failed += failures(suite);
    skipped += skips(suite);
    time += seconds(suite);
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" << attribute("tests", tests)
      << attribute("failures", failed) << attribute("errors", std::size_t{0})
      << attribute("skipped", skipped) << attribute("time", seconds_text(time)) << ">\n";
  for (const JUnitSuite& suite : suites) write_suite(out, suite);
  out << "</testsuites>\n";
}

}  // namespace hockney::report
