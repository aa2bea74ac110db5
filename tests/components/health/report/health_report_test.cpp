#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/health/report/health_exports.hpp"
#include "components/health/report/health_outputs.hpp"
#include "components/health/report/health_report.hpp"
#include "tests/components/health/report/health_reports.hpp"

namespace hockney::health {
namespace {

std::string table_of(const Report& report, ShownSeries shown = ShownSeries::changed) {
  std::ostringstream out;
  print_health_table(out, report, shown);
  return out.str();
}

}  // namespace

TEST_CASE("what is bad is counted, and decides") {
  const HealthCounts counts = count(example_health());
  CHECK(counts.regressed == 1);
  CHECK(counts.steady == 1);
  CHECK(counts.undecided == 1);
  CHECK(counts.improved == 0);
  CHECK(counts.slow_nodes == 1);
  CHECK(counts.slow_links == 1);
  CHECK(has_regression(example_health()));
  CHECK_FALSE(has_regression(quiet_health()));
  CHECK(severity_of(example_health()) == fleet::Severity::isolate);
  CHECK(severity_of(quiet_health()) == fleet::Severity::none);
}

TEST_CASE("the reason is one line in the words of drain scripts") {
  CHECK(reason_line(example_health()) ==
        "ISOLATE: node hx2 +25.0 %; link hx1-hx3 +50.0 %; pingpong/ranks=2 hop=l3 bytes=8/seconds "
        "+10.0 % since 2026-11-19 (2026-11-18 .. 2026-11-20), interval +8.00 % .. +12.0 %");
  CHECK(reason_line(quiet_health()) == "OK: 1 series steady or better on 2026-11-22, 1 undecided");
}

TEST_CASE("the headline begins with the state of the night, and says how far learning is") {
  CHECK(headline(example_health()) ==
        "REGRESSED 1 slow node; 1 slow link; 1 of 3 series, 8 B latency (pingpong, 2 ranks, l3) "
        "+10.0 % since 2026-11-19 (2026-11-18 .. 2026-11-20), interval +8.00 % .. "
        "+12.0 %; that day: mpi.library A \"1\" -> B <2>");
  Report report = quiet_health();
  CHECK(headline(report) ==
        "OK        1 series steady over 40 nights; 1 series still learning, night 5 of 14 needed");
  report.series.front().health.verdict = Verdict::improved;
  report.series.back().health.why = UndecidedWhy::stale;
  CHECK(headline(report) ==
        "OK        1 series improved over 40 nights; 1 series not measured lately");
  CHECK(state_of(report) == State::ok);
}

TEST_CASE("a night with wrong data is corrupt in every output, whatever else it is") {
  for (Report report : {quiet_health(), example_health()}) {
    const bool is_regressed = has_regression(report);
    report.faults = {{.fault = Fault::wrong_data,
                      .points = 2,
                      .launches = 1,
                      .of_launches = 10,
                      .first = "bcast at 8"}};
    CHECK(state_of(report) == State::corrupt);
    CHECK(severity_of(report) == fleet::Severity::isolate);
    const std::string fault =
        "WRONG DATA were received at 2 points, in 1 of 10 launches: bcast at 8, ...; left out of "
        "all figures";
    CHECK_THAT(headline(report), Catch::StartsWith("CORRUPT   " + fault));
    CHECK((headline(report).find("1 slow node") != std::string::npos) == is_regressed);
    CHECK_THAT(reason_line(report), Catch::StartsWith("ISOLATE: " + fault));
    CHECK_THAT(table_of(report), Catch::StartsWith("CORRUPT"));
    const nlohmann::json document = to_json(report);
    CHECK(document.at("state") == "CORRUPT");
    CHECK(document.at("faults").at(0).at("fault") == "corrupt");
    CHECK(document.at("faults").at(0).at("launches") == 1);
    std::ostringstream out;
    write_openmetrics(out, health_metrics(report));
    write_junit(out, health_junit(report));
    CHECK_THAT(out.str(), Catch::Contains("hockney_health_state{state=\"CORRUPT\"} 1\n"));
    CHECK_THAT(out.str(), Catch::Contains("hockney_health_void_points{fault=\"corrupt\"} 2\n"));
    CHECK_THAT(out.str(), Catch::Contains("<failure message=\"" + fault + "\" type=\"corrupt\">"));
  }
}

TEST_CASE("a night without any verdict is no good one") {
  Report report = quiet_health();
  SeriesHealth& first = report.series.front().health;
  first.verdict = Verdict::undecided;
  first.why = UndecidedWhy::short_baseline;
  first.nights = 2;
  first.nights_needed = 15;
  report.series.back().health = first;
  CHECK(state_of(report) == State::learning);
  CHECK(headline(report) == "LEARNING  night 2 of 15 needed; nothing can be judged yet (2 series)");
  CHECK(reason_line(report) ==
        "LEARNING: night 2 of 15 needed; nothing can be judged yet (2 series)");
  CHECK(table_of(report).starts_with(headline(report) + "\n"));
  CHECK(to_json(report)["state"] == "LEARNING");
  // The one that has come furthest counts, and what is not measured any more learns nothing.
  report.series.back().health.nights = 14;
  CHECK_THAT(headline(report), Catch::Contains("night 14 of 15 needed"));
  report.series.back().health.why = UndecidedWhy::stale;
  CHECK(headline(report) ==
        "LEARNING  night 2 of 15 needed; nothing can be judged yet (1 series, 1 series not "
        "measured lately)");
  report.series.front().health.why = UndecidedWhy::stale;
  CHECK(headline(report) == "LEARNING  nothing can be judged (2 series not measured lately)");
  report.series.clear();
  CHECK(state_of(report) == State::learning);
  report.fleets = example_health().fleets;
  CHECK(state_of(report) == State::regressed);
  report.fleets.front().night.nodes.clear();
  report.fleets.front().links.clear();
  CHECK(headline(report) == "OK        no slow node or link over 40 nights");
}

TEST_CASE("what was measured comes before coefficients of models, the largest change first") {
  Report report = example_health();
  report.fleets.clear();
  const auto add = [&](const std::string& name, double change, fleet::Severity severity) {
    JudgedSeries series = report.series.front();
    series.kind = {.name = name, .unit = "seconds"};
    series.environment.clear();
    series.health.change->change = change;
    series.health.severity = severity;
    report.series.push_back(series);
  };
  add("bcast/ranks=4 setting=nightly/alpha_seconds", 0.5, fleet::Severity::isolate);
  add("bcast/ranks=4 bytes=65536 setting=nightly/seconds", 0.15, fleet::Severity::monitor);
  CHECK_THAT(headline(report),
             Catch::StartsWith("REGRESSED 3 of 5 series, 64K time (bcast, 4 ranks) +15.0 %"));
  const std::string table = table_of(report);
  CHECK(table.find("bcast/ranks=4 setting=nightly/alpha") < table.find("bytes=65536 setting"));
  CHECK(table.find("bytes=65536 setting") <
        table.find("pingpong/ranks=2 hop=l3 bytes=8/seconds  "));
}

TEST_CASE("series and their values are named for people, in units that suit them") {
  const auto text_of = [](const std::string& name) {
    return event_text({.name = name, .unit = "seconds"});
  };
  CHECK(text_of("pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds") ==
        "8 B latency (pingpong, 2 ranks, l3)");
  CHECK(text_of("bandwidth/ranks=2 bytes=65536 window=64/bytes_per_second") ==
        "64K bandwidth (bandwidth, 2 ranks, window 64)");
  CHECK(text_of("bcast/ranks=4/beta_seconds_per_byte") == "fitted time per byte (bcast, 4 ranks)");
  CHECK(text_of("spin//seconds") == "time (spin)");
  CHECK(figure_text(4.93018e-07, {}, "seconds") == "0.4930 us");
  CHECK(figure_text(2e-10, {}, "seconds_per_byte") == "0.2000 ns/B");
  CHECK(figure_text(1.05e10, Interval{1e10, 1.1e10, 0.95}, "bytes_per_second") ==
        "10.50 GB/s, interval 10.00 .. 11.00");
  CHECK(figure_text(4040, {}, "bytes") == "4040 B");
  CHECK(figure_text(0.031, {}, "ratio") == "0.03100");
}

TEST_CASE("an improvement alone is no regression") {
  Report report = quiet_health();
  report.series.front().health.verdict = Verdict::improved;
  CHECK_FALSE(has_regression(report));
  CHECK(count(report).improved == 1);
}

TEST_CASE("the table shows what changed with its evidence") {
  CHECK(table_of(example_health()) == headline(example_health()) + R"(
night of 2026-11-22, 40 nights in h.sqlite
3 series: 1 regressed, 0 improved, 1 steady, 1 undecided

# verdict    change[%]  interval        since       series
  regressed  +10.0      +8.00 .. +12.0  2026-11-19  pingpong/ranks=2 hop=l3 bytes=8/seconds
#   value 1.125 us, interval 1.000 .. 1.250, 12 launches on 2026-11-22
#   baseline 1.000 us, noise 2.0 %, 40 nights
#   first said on 2026-11-21
#   the node changed too: spin//seconds
#   2026-11-19 mpi.library: A "1" -> B <2>
#   2026-11-18 note: MPI updated

slow node hx2  +25.0 %, interval +20.0 .. +30.0, score 9.00 (cut 4.00), 3 pairs  pingpong/ranks=2 bytes=8/seconds
slow link hx1-hx3 hop switch  +50.0 %, interval -, for 4 nights  pingpong/ranks=2 bytes=8/seconds
undecided: 1 series (5 of 14 nights that a baseline needs)
)");
}

TEST_CASE("a night that stands alone is noted") {
  Report report = quiet_health();
  auto& suspect = report.series.front().health.suspect;
  suspect = NightOutlier{
      .day = report.day, .change = 0.3, .interval = {}, .score = 7.5, .since = report.day};
  CHECK_THAT(table_of(report), Catch::Contains("+30.0 % off its baseline on this one night"));
  CHECK(state_of(report) == State::suspect);
  CHECK_FALSE(is_failure(state_of(report)));
  CHECK(headline(report) ==
        "SUSPECT   1 of 2 series, time (spin) +30.0 % on this one night (score "
        "7.50); a verdict takes more nights");
  CHECK_THAT(reason_line(report), Catch::StartsWith("MONITOR: suspect: 1 of 2 series"));
  suspect->since = report.day - 2;
  CHECK_THAT(headline(report), Catch::Contains("+30.0 % since 2026-11-20 (score"));
  // Nothing is usual yet for a series that learns.
  report.series.front().health.verdict = Verdict::undecided;
  CHECK(state_of(report) == State::learning);
}

TEST_CASE("a night without a figure that was due is never OK") {
  Report report = quiet_health();
  report.series.front().health.verdict = Verdict::missing;
  report.series.front().missing = "SIGSEGV in lib.so, left out after 2 launches";
  report.series.front().last->day = report.day - 1;
  CHECK(is_failure(state_of(report)));
  CHECK(headline(report) ==
        "MISSING   1 of 2 series, time (spin): SIGSEGV in lib.so, left out after 2 launches");
  CHECK_THAT(reason_line(report), Catch::StartsWith("MONITOR: missing: 1 of 2 series"));
  CHECK_THAT(table_of(report), Catch::Contains(" 0 steady, 1 undecided, 1 missing") &&
                                   Catch::Contains("missing: SIGSEGV in lib.so"));
  const nlohmann::json verdict = to_json(report)["verdicts"][0];
  CHECK(verdict["verdict"] == "missing");
  CHECK(verdict["missing_because"] == report.series.front().missing);
  // What regressed before is said, too, and void figures come first.
  Report both = example_health();
  both.series[1].health.verdict = Verdict::missing;
  both.series[1].missing = "not in the records of this night";
  CHECK_THAT(headline(both), Catch::StartsWith("MISSING   1 of 3 series") &&
                                 Catch::Contains("; regressed 1 slow node"));
  both.faults = {{.fault = Fault::clocks_drifted, .points = 1, .launches = 1, .of_launches = 1}};
  CHECK_THAT(headline(both), Catch::StartsWith("CORRUPT") && Catch::Contains("; missing 1 of 3"));
  both.series[1].missing = cause_of(Fault::clocks_drifted);
  CHECK_THAT(headline(both), !Catch::Contains("missing"));
  report.missing_ok = true;
  CHECK_FALSE(is_failure(state_of(report)));
  CHECK_THAT(headline(report), Catch::EndsWith("; 1 series missing"));
}

TEST_CASE("lines are of series that were measured that night") {
  std::ostringstream out;
  write_health_lines(out, example_health());
  std::istringstream lines(out.str());
  std::vector<nlohmann::json> read;
  for (std::string line; std::getline(lines, line);) read.push_back(nlohmann::json::parse(line));
  REQUIRE(read.size() == 2);
  CHECK(read[0]["day"] == "2026-11-22");
  CHECK(read[0]["checked_utc"] == "2026-11-22T04:00:00Z");
}

TEST_CASE("of many facts that changed the telling ones are shown and the others counted") {
  Report report = example_health();
  std::vector<FactChange>& facts = report.series.front().environment.front().facts;
  facts.clear();
  for (int i = 10; i < 30; ++i) {
    facts.push_back({.fact = "mpi.setting." + std::to_string(i), .before = "0", .after = "1"});
  }
  facts.push_back({.fact = "os", .before = "A", .after = "B"});
  const std::string table = table_of(report);
  CHECK_THAT(table, Catch::Contains("2026-11-19 os: A -> B\n"));
  CHECK_THAT(table, Catch::Contains("mpi.setting.16: 0 -> 1\n"));
  CHECK_THAT(table, !Catch::Contains("mpi.setting.17"));
  CHECK_THAT(table, Catch::Contains("2026-11-19 and 13 more facts of the environment\n"));
}

TEST_CASE("nights in the future are named, and hide nothing") {
  Report report = quiet_health();
  report.future = {parse_day("2036-01-01")};
  const std::string named = "; 1 night in the future is not judged: 2036-01-01";
  CHECK_THAT(headline(report), Catch::StartsWith("OK  ") && Catch::EndsWith(named));
  CHECK_THAT(reason_line(report), Catch::EndsWith(named));
  report = example_health();
  report.future = {parse_day("2036-01-01"), parse_day("2036-01-02")};
  CHECK_THAT(headline(report),
             Catch::StartsWith("REGRESSED") &&
                 Catch::EndsWith("; 2 nights in the future are not judged, from 2036-01-01 on"));
  CHECK(to_json(report)["nights_in_future"] == nlohmann::json{"2036-01-01", "2036-01-02"});
}

TEST_CASE("what is open since an earlier night says which") {
  Report report = example_health();
  report.series.front().health.is_open = true;
  report.fleets.front().day = report.day - 3;
  report.fleets.front().night.nodes.front().day = report.day - 3;
  CHECK_THAT(change_text(report.series.front().health),
             Catch::EndsWith(", not measured since 2026-11-22"));
  CHECK_THAT(reason_line(report), Catch::Contains("node hx2 +25.0 % on 2026-11-19"));
  std::ostringstream text;
  print_health_table(text, report, ShownSeries::changed);
  CHECK_THAT(text.str(), Catch::Contains("3 pairs, last judged on 2026-11-19") &&
                             Catch::Contains("for 4 nights, last judged on 2026-11-19"));
  CHECK(to_json(report)["nodes"][0]["day"] == "2026-11-19");
  CHECK(to_json(report)["links"][0]["day"] == "2026-11-19");
}

}  // namespace hockney::health
