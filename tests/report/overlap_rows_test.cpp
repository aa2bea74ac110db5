#include <catch2/catch.hpp>

#include "report/rows.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

Point point_with(const std::string& work, const std::string& tests = "") {
  Point point = simple_point("iallreduce", 8);
  point.parameters["work"] = work;
  if (!tests.empty()) point.parameters["tests"] = tests;
  return point;
}

/// The operation alone takes 4 s, the work 4 s; both `both` seconds, and 5 s with ten tests.
Record launch(double both) {
  Record record = launch_of("default");
  add_measured(record, point_with("none"), 4);
  add_measured(record, point_with("alone"), 4);
  add_measured(record, point_with("during", "0"), both);
  add_measured(record, point_with("during", "10"), 5);
  return record;
}

}  // namespace

TEST_CASE("the overlap is the share of the operation that the work hides, as it is") {
  const std::vector<Record> one{launch(8)};
  const auto rows = overlap_rows(campaign_rows(one));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].both.point == simple_point("iallreduce", 8));
  CHECK(rows[0].tests == "0");
  CHECK(rows[0].overlap == 0.0);
  CHECK(rows[1].tests == "10");
  CHECK(rows[1].overlap == 0.75);
  CHECK(rows[1].pure_seconds == 4.0);
  CHECK(rows[1].work_seconds == 4.0);
  CHECK(rows[1].both.median_seconds == 5.0);
  CHECK_FALSE(rows[1].interval);
  const std::vector<Record> slow{launch(10)};
  CHECK(overlap_rows(campaign_rows(slow))[0].overlap == -0.5);
}

TEST_CASE("the interval of an overlap is over launches, each with its own times") {
  std::vector<Record> records;
  for (const double both : {4.0, 5.0, 6.0, 7.0, 8.0, 12.0}) records.push_back(launch(both));
  const auto rows = overlap_rows(campaign_rows(records));
  CHECK(rows[0].overlaps == std::vector<double>{1, 0.75, 0.5, 0.25, 0, -1});
  CHECK(rows[0].overlap == 0.375);
  REQUIRE(rows[0].interval);
  CHECK(rows[0].interval->low == -1);
  CHECK(rows[0].interval->high == 1);
}

TEST_CASE("without one of the three times there is no overlap") {
  Record record = launch_of("default");
  add_measured(record, point_with("none"), 4);
  add_measured(record, point_with("during", "0"), 4);
  const auto rows = overlap_rows(campaign_rows({&record, 1}));
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0].overlap);
  CHECK_FALSE(rows[0].work_seconds);
  Record blocking = launch_of("default");
  add_measured(blocking, simple_point("allreduce", 8), 4);
  CHECK(overlap_rows(campaign_rows({&blocking, 1})).empty());
}

}  // namespace hockney::report
