#include <catch2/catch.hpp>

#include "report/rows.hpp"
#include "tests/report/printed_tables.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

Point flows_point(const std::string& flows) {
  Point point = simple_point("cut", 8);
  point.parameters["flows"] = flows;
  return point;
}

/// One flow takes `alone` seconds, two 6 s, all 12 s.
Record contended_launch(double alone) {
  Record record = launch_of("default");
  add_measured(record, flows_point("1"), alone);
  add_measured(record, flows_point("2"), 6);
  add_measured(record, flows_point("all"), 12);
  return record;
}

}  // namespace

TEST_CASE("the congestion factor is the time of several flows over that of one") {
  const std::vector<Record> one{contended_launch(4)};
  const auto rows = disturbed_rows(campaign_rows(one), met_flows);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].met.point == simple_point("cut", 8));
  CHECK(rows[0].value == "2");
  CHECK(rows[0].factor == 1.5);
  CHECK(rows[0].alone_seconds == 4.0);
  CHECK(rows[1].value == "all");
  CHECK(rows[1].factor == 3.0);
  CHECK_FALSE(rows[1].interval);
}

TEST_CASE("the interval of a congestion factor is over launches, each with its own times") {
  std::vector<Record> records;
  for (const double alone : {1.0, 2.0, 3.0, 4.0, 6.0, 12.0}) {
    records.push_back(contended_launch(alone));
  }
  const auto rows = disturbed_rows(campaign_rows(records), met_flows);
  CHECK(rows[1].factors == std::vector<double>{12, 6, 4, 3, 2, 1});
  CHECK(rows[1].factor == 3.5);
  REQUIRE(rows[1].interval);
  CHECK(rows[1].interval->low == 1);
  CHECK(rows[1].interval->high == 12);
}

TEST_CASE("without one flow there is no congestion factor") {
  Record record = launch_of("default");
  add_measured(record, flows_point("2"), 6);
  const std::vector<Record> records{record};
  const auto rows = disturbed_rows(campaign_rows(records), met_flows);
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0].factor);
  CHECK_FALSE(rows[0].alone_seconds);
}

}  // namespace hockney::report
