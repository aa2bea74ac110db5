#include "models/pooled_curve.hpp"

#include <catch2/catch.hpp>

#include "tests/models/curve_fixture.hpp"

namespace hockney::models {
namespace {

std::vector<double> times(const PooledCurve& pooled) {
  std::vector<double> seconds;
  for (const TimedSize& point : pooled.points) seconds.push_back(point.seconds);
  return seconds;
}

}  // namespace

TEST_CASE("pooling takes the median over the named launches") {
  const Curve curve = make_curve({1, 2}, {{1.0, 10.0}, {2.0, 30.0}, {9.0, 20.0}});
  CHECK(times(pool(curve, all_launches(curve))) == std::vector<double>{2, 20});
  CHECK(times(pool(curve, std::vector<std::size_t>{2})) == std::vector<double>{9, 20});
}

TEST_CASE("sizes that no launch has are left out and the places tell") {
  const Curve curve = make_curve({1, 2, 4}, {{1.0, {}, 3.0}, {1.0, 2.0, 3.0}});
  const PooledCurve pooled = pool(curve, std::vector<std::size_t>{0});
  CHECK(times(pooled) == std::vector<double>{1, 3});
  CHECK(pooled.places == std::vector<std::size_t>{0, 2});
}

TEST_CASE("levelling takes each launch's factor out, the median launch's being one") {
  // Factors 1/2, 1 and 4 of times 1, 2, 3, 4; the fast launch lacks the first sizes.
  const Curve curve =
      make_curve({1, 2, 4, 8}, {{{}, {}, 1.5, 2.0}, {1.0, 2.0, 3.0, 4.0}, {4.0, 8.0, 12.0, 16.0}});
  CHECK(times(pool(curve, all_launches(curve))) == std::vector<double>{2.5, 5, 3, 4});
  const std::vector<double> levelled = times(pool_levelled(curve, all_launches(curve)));
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(levelled[i] / levelled[0] == Approx(static_cast<double>(i + 1)));
  }
}

TEST_CASE("one launch is level") {
  const Curve curve = make_curve({1, 2}, {{3.0, 7.0}});
  CHECK(times(pool_levelled(curve, all_launches(curve))) == std::vector<double>{3, 7});
}

TEST_CASE("all launches but one are pooled as if that one were not there") {
  // Equal times, sizes that one launch alone has or lacks, even and odd numbers of launches.
  const Cells rows{{1, 4, {}, 7},  {2, 4, {}, {}}, {3, 4, 5, {}},
                   {3, 1, {}, {}}, {5, 4, {}, {}}, {4, 9, {}, {}}};
  for (std::size_t launches = 2; launches <= rows.size(); ++launches) {
    const Curve curve =
        make_curve({1, 2, 4, 8}, {rows.begin(), rows.begin() + std::ptrdiff_t(launches)});
    const PoolWithoutOne without(curve);
    for (std::size_t left_out = 0; left_out < launches; ++left_out) {
      std::vector<std::size_t> others = all_launches(curve);
      others.erase(others.begin() + std::ptrdiff_t(left_out));
      const PooledCurve expected = pool(curve, others);
      const PooledCurve pooled = without.pool(left_out);
      REQUIRE(pooled.places == expected.places);
      for (std::size_t i = 0; i < pooled.points.size(); ++i) {
        CHECK(pooled.points[i].seconds == expected.points[i].seconds);
        CHECK(pooled.points[i].bytes == expected.points[i].bytes);
      }
    }
  }
}

}  // namespace hockney::models
