#include <catch2/catch.hpp>
#include <sstream>

#include "components/health/report/health_exports.hpp"
#include "report/exports.hpp"
#include "tests/components/health/report/health_reports.hpp"

namespace hockney::health {
namespace {

std::string text_of(const std::vector<report::JUnitSuite>& suites) {
  std::ostringstream out;
  write_junit(out, suites);
  return out.str();
}

}  // namespace

TEST_CASE("JUnit XML counts and escapes what it holds") {
  const report::JUnitSuite suite{
      .name = "s & t",
      .timestamp_utc = "2026-11-22T04:00:00Z",
      .cases = {{.classname = "a.b", .name = "fine", .seconds = 0.5},
                {.classname = "a.b",
                 .name = "bad",
                 .failure =
                     report::JUnitFailure{
                         .type = "violated", .message = "1 < \"2\"\n3", .text = "x\x01y"}},
                {.classname = "a.b", .name = "unknown", .skipped = "too few", .output = "told"}}};
  CHECK(text_of({suite}) == R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" skipped="1" time="0.500000">
  <testsuite name="s &amp; t" tests="3" failures="1" errors="0" skipped="1" time="0.500000" timestamp="2026-11-22T04:00:00">
    <testcase classname="a.b" name="fine" time="0.500000"/>
    <testcase classname="a.b" name="bad" time="0.000000">
      <failure message="1 &lt; &quot;2&quot;&#10;3" type="violated">x\u0001y</failure>
    </testcase>
    <testcase classname="a.b" name="unknown" time="0.000000">
      <skipped message="too few"/>
      <system-out>told</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
  CHECK_THAT(text_of({}), Catch::Contains("tests=\"0\""));
}

TEST_CASE("a health report fails what regressed and skips what is undecided") {
  const std::vector<report::JUnitSuite> suites = health_junit(example_health());
  REQUIRE(suites.size() == 2);
  const std::vector<report::JUnitCase>& series = suites[0].cases;
  REQUIRE(series.size() == 4);
  CHECK(series[0].name == "state");
  CHECK_FALSE(series[0].skipped);
  CHECK(series[0].output == headline(example_health()));
  CHECK(series[1].classname == "hockney.health.pingpong");
  CHECK(series[1].name == "pingpong/ranks=2 hop=l3 bytes=8/seconds");
  REQUIRE(series[1].failure);
  CHECK(series[1].failure->message ==
        "+10.0 % since 2026-11-19 (2026-11-18 .. 2026-11-20), interval +8.00 % .. +12.0 %");
  CHECK_THAT(series[1].failure->text, Catch::Contains("mpi.library: A \"1\" -> B <2>"));
  CHECK_FALSE(series[2].failure);
  CHECK_FALSE(series[2].skipped);
  CHECK(series[3].skipped == "5 of 14 nights that a baseline needs");
  REQUIRE(suites[1].cases.size() == 3);
  CHECK(suites[1].cases[0].failure->type == "slow node");
  CHECK_FALSE(suites[1].cases[1].failure);
  CHECK(suites[1].cases[2].failure->type == "slow link");
  CHECK(health_junit(quiet_health()).size() == 1);
}

}  // namespace hockney::health
