#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "components/health/report/health_exports.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tests/components/health/report/health_reports.hpp"

namespace hockney::health {
namespace {

std::string metrics_of(const Report& report) {
  std::ostringstream out;
  write_openmetrics(out, health_metrics(report));
  return out.str();
}

std::string influx_of(const Report& report) {
  std::ostringstream out;
  write_influx(out, report);
  return out.str();
}

}  // namespace

TEST_CASE("OpenMetrics gauges have their type, unit and help before them") {
  std::ostringstream out;
  write_openmetrics(out, {{.name = "a_seconds",
                           .unit = "seconds",
                           .help = "A \\ \"b\"\nc.",
                           .samples = {{{{"x", "1\\2\"3\n4"}, {"y", ""}}, 0.1}, {{}, 1e-9}}},
                          {.name = "empty", .unit = "", .help = "None.", .samples = {}},
                          {.name = "b", .unit = "", .help = "B.", .samples = {{{}, 3}}}});
  CHECK(out.str() == R"(# TYPE a_seconds gauge
# UNIT a_seconds seconds
# HELP a_seconds A \\ "b"\nc.
a_seconds{x="1\\2\"3\n4",y=""} 0.1
a_seconds 1e-09
# TYPE b gauge
# HELP b B.
b 3
# EOF
)");
}

TEST_CASE("the gauges of a report say what is bad, and when it was looked at") {
  const std::string text = metrics_of(example_health());
  const std::string labels =
      R"({hop="l3",operation="pingpong",series="pingpong/ranks=2 hop=l3 bytes=8/seconds",unit="seconds"})";
  for (const std::string& line :
       {std::string("hockney_health_last_run_timestamp_seconds 1795320000"),
        std::string("hockney_health_night_timestamp_seconds 1795305600"),
        std::string("hockney_health_regressions 3"), std::string("hockney_health_severity 2"),
        std::string(R"(hockney_health_state{state="OK"} 0)"),
        std::string(R"(hockney_health_state{state="REGRESSED"} 1)"),
        "hockney_health_series_state" + labels + " 1",
        "hockney_health_series_undecided" + labels + " 0",
        "hockney_health_value_seconds" + labels + " 1.125e-06",
        "hockney_health_change_ratio" + labels + " 0.1",
        std::string(
            R"(hockney_health_node_slow{host="hx2",point="pingpong/ranks=2 bytes=8/seconds"} 1)"),
        std::string("# EOF")}) {
    CAPTURE(line);
    CHECK_THAT(text, Catch::Contains(line + "\n"));
  }
}

TEST_CASE("an undecided series has no state, which is not 0") {
  const std::string text = metrics_of(quiet_health());
  CHECK_THAT(text, !Catch::Contains("hockney_health_series_state{hop=\"\",operation=\"bcast\""));
  CHECK_THAT(text, Catch::Contains("hockney_health_series_undecided{hop=\"\",operation=\"bcast\""));
}

TEST_CASE("no gauge has a timestamp, and all samples of a name lie together") {
  std::set<std::string> closed;
  std::string open;
  for (const std::string& line : split(metrics_of(example_health()), '\n')) {
    if (line.empty() || line.starts_with("#")) continue;
    const std::string name = line.substr(0, line.find_first_of("{ "));
    if (name != open) {
      CHECK(closed.insert(name).second);
      open = name;
    }
    // One blank after the labels: before the value, and none for a timestamp.
    const std::string rest =
        line.substr(line.rfind('}') == std::string::npos ? name.size() : line.rfind('}') + 1);
    CHECK(std::count(rest.begin(), rest.end(), ' ') == 1);
  }
}

TEST_CASE("names and labels are the same whatever the verdicts are") {
  Report other = example_health();
  for (JudgedSeries& judged : other.series) judged.last->value *= 2;
  const auto names = [](const std::string& text) {
    std::set<std::string> found;
    for (const std::string& line : split(text, '\n')) found.insert(line.substr(0, line.rfind(' ')));
    return found;
  };
  CHECK(names(metrics_of(other)) == names(metrics_of(example_health())));
}

TEST_CASE("Influx lines escape tags and carry the time of their night") {
  const std::vector<std::string> lines = split(influx_of(example_health()), '\n');
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == "hockney_health_night state=\"REGRESSED\" 1795305600000000000");
  CHECK(
      lines[1] ==
      R"(hockney_health,hop=l3,operation=pingpong,series=pingpong/ranks\=2\ hop\=l3\ bytes\=8/seconds,unit=seconds )"
      R"(value=1.125e-06,ci_low=1e-06,ci_high=1.25e-06,launches=12i,verdict="regressed",baseline=1e-06,change=0.1 )"
      "1795305600000000000");
  CHECK_THAT(lines[2], Catch::StartsWith("hockney_health,operation=spin,"));
  CHECK(
      lines[3] ==
      R"(hockney_health_node,host=hx2,point=pingpong/ranks\=2\ bytes\=8/seconds effect=0.25,score=9,slow=1i )"
      "1795305600000000000");
}

TEST_CASE("metrics have no value of a series that is missing") {
  Report report = example_health();
  JudgedSeries& missing = report.series[1];
  missing.health.verdict = Verdict::missing;
  missing.missing = "not in the records of this night";
  missing.last->day = report.day - 1;
  const std::string influx = influx_of(report);
  CHECK_THAT(influx, Catch::Contains(",series=spin//seconds,unit=seconds verdict=\"missing\","
                                     "baseline=5e-06 1795305600000000000"));
  const std::string metrics = metrics_of(report);
  const std::string labels = R"({hop="",operation="spin",series="spin//seconds",unit="seconds"})";
  CHECK_THAT(metrics, Catch::Contains("hockney_health_series_missing" + labels + " 1") &&
                          Catch::Contains("hockney_health_state{state=\"MISSING\"} 1"));
  CHECK_THAT(metrics, !Catch::Contains("hockney_health_value_seconds" + labels) &&
                          !Catch::Contains("hockney_health_series_state" + labels));
}

TEST_CASE("a night beyond what Influx counts is refused, not wrapped") {
  Report report = quiet_health();
  report.series.clear();
  report.day = parse_day("2262-04-11");
  CHECK_THAT(influx_of(report), Catch::EndsWith(" 9223286400000000000\n"));
  report.day = -106751;  // 1677-09-22
  CHECK_THAT(influx_of(report), Catch::EndsWith(" -9223286400000000000\n"));
  for (const std::int64_t day :
       {std::int64_t{-106752}, parse_day("2262-04-12"), parse_day("9999-12-31")}) {
    report.day = day;
    CHECK_THROWS_AS(influx_of(report), InputError);
  }
}

}  // namespace hockney::health
