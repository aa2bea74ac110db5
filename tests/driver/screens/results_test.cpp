#include <catch2/catch.hpp>
#include <vector>

#include "driver/screens/answers.hpp"
#include "driver/screens/results.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
TEST_CASE("what is computed of records is computed once") {
  const std::vector<Record> records(6, pingpong_launch(1e-6, 1e-9));
  Results results(records);
  CHECK(&results.rows() == &results.rows());
  CHECK(&results.curves() == &results.curves());
  const models::Fit* const fit = results.pair_fits().fits.data();
  const Row* const row = results.shown_rows().data();
  screen_of(results);
  screen_of(results);
  CHECK(results.pair_fits().fits.data() == fit);
  CHECK(results.shown_rows().data() == row);
  REQUIRE(results.curves().size() == 1);
  CHECK(results.curves().front().row == row);
  CHECK(results.curves().front().fit.has_value());
}

TEST_CASE("rows of other suites and of floors are told where there are no others") {
  std::vector<Record> records{pingpong_launch(1e-6, 1e-9)};
  for (Series& series : records[0].series) series.point.operation = "floor-memcpy";
  records[0].points.own().clear();
  Results floors(records);
  CHECK(floors.shown_rows().size() == 6);
  records.push_back(pingpong_launch(1e-6, 1e-9));
  Results both(records);
  CHECK(both.rows().size() == 12);
  CHECK(both.shown_rows().size() == 6);
  CHECK(both.shown_rows().front().point.operation == "pingpong");
}

}  // namespace hockney::report
