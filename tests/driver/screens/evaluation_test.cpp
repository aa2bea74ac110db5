#include <catch2/catch.hpp>
#include <vector>

#include "driver/screens/answers.hpp"
#include "driver/screens/evaluation.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
TEST_CASE("what is computed of records is computed once") {
  const std::vector<Record> records(6, pingpong_launch(1e-6, 1e-9));
  Evaluation evaluation(records);
  CHECK(&evaluation.rows() == &evaluation.rows());
  CHECK(&evaluation.curves() == &evaluation.curves());
  const models::Fit* const fit = evaluation.pair_fits().fits.data();
  const Row* const row = evaluation.own_rows().data();
  screen_of(evaluation);
  screen_of(evaluation);
  CHECK(evaluation.pair_fits().fits.data() == fit);
  CHECK(evaluation.own_rows().data() == row);
  REQUIRE(evaluation.curves().size() == 1);
  CHECK(evaluation.curves().front().row == row);
  CHECK(evaluation.curves().front().fit.has_value());
}

TEST_CASE("rows of other suites and of floors are told where there are no others") {
  std::vector<Record> records{pingpong_launch(1e-6, 1e-9)};
  for (Series& series : records[0].series) series.point.operation = "floor-memcpy";
  records[0].points.own().clear();
  Evaluation floors(records);
  CHECK(floors.own_rows().empty());
  CHECK(floors.shown_rows().size() == 6);
  records.push_back(pingpong_launch(1e-6, 1e-9));
  Evaluation both(records);
  CHECK(both.rows().size() == 12);
  CHECK(both.shown_rows().size() == 6);
  CHECK(both.shown_rows().front().point.operation == "pingpong");
}

}  // namespace hockney::report
