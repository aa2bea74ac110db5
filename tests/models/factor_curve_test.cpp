#include <catch2/catch.hpp>

#include "models/factor_curve.hpp"

namespace hockney::models {

TEST_CASE("without a bend there are no factors") {
  CHECK(FactorCurve().at(4, 100) == 1);
  CHECK(FactorCurve(Bend::none, {{4, 100, 2}}).at(4, 100) == 1);
}

TEST_CASE("factors over sizes pass through the measured ones and hold beyond them") {
  const FactorCurve curve(Bend::sizes, {{2, 0, 1}, {4, 15, 2}, {8, 15, 8}, {2, 63, 16}});
  CHECK(curve.at(2, 0) == Approx(1));
  // The geometric mean of 2 and 8.
  CHECK(curve.at(2, 15) == Approx(4));
  CHECK(curve.at(1000, 63) == Approx(16));
  CHECK(curve.at(2, 1 << 20) == Approx(16));
  // ln(1 + 31) is in the middle of ln(1 + 15) and ln(1 + 63).
  CHECK(curve.at(2, 31) == Approx(8));
}

TEST_CASE("factors over ranks are interpolated, and grow beyond them as they were seen to") {
  const FactorCurve curve(Bend::sizes_and_ranks,
                          {{2, 100, 1}, {4, 100, 1.2}, {8, 100, 1.44}, {2, 9, 1}, {8, 9, 0.5}});
  CHECK(curve.at(4, 100) == Approx(1.2));
  CHECK(curve.at(8, 100) == Approx(1.44));
  CHECK(curve.at(16, 100) == Approx(1.44 * 1.2));
  // Two doublings were seen, so that two more is the most that is believed.
  CHECK(curve.at(32, 100) == Approx(1.44 * 1.44));
  CHECK(curve.at(256, 100) == Approx(1.44 * 1.44));
  // What fell does not go on falling.
  CHECK(curve.at(16, 9) == Approx(0.5));
  CHECK(curve.at(1, 100) == Approx(1));
}

TEST_CASE("the factors of a curve are those that it was made of") {
  const auto factors = FactorCurve(Bend::sizes_and_ranks, {{4, 100, 2}, {2, 7, 3}}).factors();
  REQUIRE(factors.size() == 2);
  CHECK(factors[0].ranks == 2);
  CHECK(factors[0].message_bytes == Approx(7));
  CHECK(factors[0].factor == Approx(3));
  CHECK(factors[1].ranks == 4);
  CHECK(FactorCurve(Bend::sizes, {{4, 100, 2}}).factors().front().ranks == all_ranks);
}

}  // namespace hockney::models
