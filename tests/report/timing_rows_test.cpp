#include <catch2/catch.hpp>

#include "report/rows.hpp"
#include "tests/support/timed_launches.hpp"

namespace hockney::report {

TEST_CASE("without other timings all rows stand alone") {
  Record record = launch_of("default");
  add_measured(record, simple_point("pingpong", 8), 1e-6);
  const TimedRows rows = timed_rows(campaign_rows({&record, 1}));
  CHECK(rows.alone.size() == 1);
  CHECK(rows.compared.empty());
}

TEST_CASE("timings of one point are one row, and ratios are taken launch by launch") {
  const auto records = timed_launches(7);
  const TimedRows rows = timed_rows(campaign_rows(records));
  CHECK(rows.alone.empty());
  REQUIRE(rows.compared.size() == 1);
  const TimingRow& row = rows.compared.front();
  CHECK(row.own.point == simple_point("allreduce", 8));
  CHECK(*row.own.median_seconds == Approx(4e-6));
  REQUIRE(row.suites.size() == 2);
  CHECK(row.suites[0].suite == "osu");
  CHECK(*row.suites[0].row.median_seconds == Approx(2e-6));
  // Unpaired, the spread of the launches would be in the interval.
  CHECK(row.suites[0].ratio == 0.5);
  CHECK(row.suites[0].ratio_interval->low == 0.5);
  CHECK(row.suites[0].ratio_interval->high == 0.5);
  CHECK(row.suites[0].ratio_interval->level == 0.984375);
  CHECK(row.suites[1].suite == "imb");
  CHECK(*row.suites[1].ratio == Approx(1.5));
}

TEST_CASE("five launches give a ratio and no interval") {
  const auto records = timed_launches(5);
  const TimedRows rows = timed_rows(campaign_rows(records));
  CHECK(rows.compared.front().suites[0].ratio == 0.5);
  CHECK_FALSE(rows.compared.front().suites[0].ratio_interval);
}

TEST_CASE("intervals of ratios have the level that is asked for") {
  const auto records = timed_launches(5);
  const TimedRows rows = timed_rows(campaign_rows(records, 0.9), 0.9);
  REQUIRE(rows.compared.front().suites[0].ratio_interval);
  CHECK(rows.compared.front().suites[0].ratio_interval->level == 1 - 2.0 / 32);
}

TEST_CASE("a launch that lacks a time, or is not complete, gives no ratio") {
  auto records = timed_launches(8);
  records[2].series.erase(records[2].series.begin());  // hockney's own
  records[3].series.erase(records[3].series.begin() + 1);
  records[4].status = LaunchStatus::interrupted;
  const TimedRows rows = timed_rows(campaign_rows(records));
  REQUIRE(rows.compared.size() == 1);
  CHECK(rows.compared.front().own.launches.size() == 6);
  CHECK(rows.compared.front().suites[0].ratios.size() == 5);
  CHECK(rows.compared.front().suites[1].ratios.size() == 6);
}

TEST_CASE("settings, curves and sizes are kept apart, in the order of rows") {
  auto records = timed_launches(6, "a");
  for (const Record& record : timed_launches(6, "b")) records.push_back(record);
  const Point other = simple_point("bcast", 8);
  const Point larger = simple_point("allreduce", 16);
  for (Record& record : records) {
    add_measured(record, simple_point("pingpong", 8), 1e-6);
    for (const Point& point : {other, larger}) {
      add_measured(record, point, 1e-6);
      add_measured(record, timed_like("osu", point), 2e-6);
    }
  }
  const TimedRows rows = timed_rows(campaign_rows(records));
  std::vector<std::string> names;
  for (const TimingRow& row : rows.compared) {
    names.push_back(row.own.setting + " " + row.own.point.operation + " " +
                    std::to_string(row.own.point.bytes.value));
    CHECK(row.suites[0].ratios.size() == 6);
  }
  CHECK(names == std::vector<std::string>{"a allreduce 8", "a allreduce 16", "a bcast 8",
                                          "b allreduce 8", "b allreduce 16", "b bcast 8"});
  CHECK(rows.alone.size() == 2);
}

TEST_CASE("a point with times of other suites only has none of its own") {
  Record record = launch_of("default");
  add_measured(record, timed_like("imb", simple_point("bcast", 8)), 1e-6);
  add_measured(record, simple_point("bcast", 16), 2e-6);
  const TimedRows rows = timed_rows(campaign_rows({&record, 1}));
  REQUIRE(rows.compared.size() == 2);
  CHECK_FALSE(rows.compared.front().own.median_seconds);
  CHECK(*rows.compared.front().suites[0].row.median_seconds == Approx(1e-6));
  CHECK_FALSE(rows.compared.front().suites[0].ratio);
}

TEST_CASE("a curve with times of another suite only stands alone: there is nothing to compare") {
  Record record = launch_of("default");
  add_measured(record, timed_like("imb", simple_point("bcast", 8)), 1e-6);
  const TimedRows rows = timed_rows(campaign_rows({&record, 1}));
  CHECK(rows.compared.empty());
  REQUIRE(rows.alone.size() == 1);
  CHECK(*rows.alone.front().median_seconds == Approx(1e-6));
}

}  // namespace hockney::report
