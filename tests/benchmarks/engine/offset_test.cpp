#include <catch2/catch.hpp>
#include <cstdlib>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks {

TEST_CASE("one exchange bounds the offset by causality, and one tick for cut readings") {
  OffsetBounds bounds(0);
  bounds.add({.before = 1000, .reference = 400, .after = 1010});
  // The reference showed 400 when the own clock showed 1000 to 1010.
  const auto offset = bounds.offset(1010);
  REQUIRE(offset);
  CHECK(offset->at == 1010);
  CHECK(offset->estimate == 605);
  CHECK(offset->bound == 6);  // [599, 611]
}

TEST_CASE("exchanges with opposite delays pin the offset down between them") {
  OffsetBounds bounds(0);
  bounds.add({.before = 1000, .reference = 401, .after = 1100});   // slow answer: [598, 700]
  bounds.add({.before = 2000, .reference = 1499, .after = 2100});  // slow question: [500, 602]
  const auto offset = bounds.offset(2100);
  REQUIRE(offset);
  CHECK(offset->estimate == 600);
  CHECK(offset->bound == 2);
}

TEST_CASE("an interval with an odd width holds both of its ends") {
  OffsetBounds bounds(0);
  bounds.narrow(0, -8, -3);
  const auto offset = bounds.offset(0);
  REQUIRE(offset);
  CHECK(offset->estimate - offset->bound <= -8);
  CHECK(offset->estimate + offset->bound >= -3);
  CHECK(offset->bound == 3);
}

TEST_CASE("large clocks lose nothing") {
  constexpr std::int64_t up = 4'000'000'000'000'000'000;  // 126 years of nanoseconds
  OffsetBounds bounds(0);
  bounds.add({.before = up, .reference = 100, .after = up + 10});
  const auto offset = bounds.offset(up + 10);
  REQUIRE(offset);
  CHECK(offset->estimate == up - 95);
  CHECK(offset->bound == 6);
}

TEST_CASE("nothing is known without an exchange") {
  CHECK_FALSE(OffsetBounds().offset(0).has_value());
}

TEST_CASE("exchanges that contradict each other are a failure") {
  OffsetBounds bounds;
  bounds.add({.before = 1000, .reference = 400, .after = 1010});
  bounds.add({.before = 2000, .reference = 1900, .after = 2010});  // the clock was set by 500
  CHECK_FALSE(bounds.offset(2010).has_value());
}

TEST_CASE("what was learnt before loosens with the drift, at both ends") {
  OffsetBounds bounds(1e-3);
  bounds.narrow(0, 100, 110);
  const auto later = bounds.offset(10'000);
  REQUIRE(later);
  CHECK(later->estimate == 105);
  CHECK(later->bound == 15);
  bounds.narrow(10'000, 103, 200);  // tighter below than the aged 90, looser above than 120
  const auto both = bounds.offset(10'000);
  REQUIRE(both);
  CHECK(both->estimate - both->bound <= 103);
  CHECK(both->estimate + both->bound >= 120);
  CHECK(both->bound == 9);
}

TEST_CASE("a drift within its limit is no contradiction") {
  // The own clock is 50 ppm fast: 500 ticks in ten million, with exchanges of 4 ticks.
  OffsetBounds bounds;
  for (std::int64_t i = 0; i <= 10; ++i) {
    const std::int64_t own = i * 1'000'000;
    bounds.add({.before = own - 2, .reference = own - 50 * i, .after = own + 2});
  }
  const auto offset = bounds.offset(10'000'002);
  REQUIRE(offset);
  CHECK(std::abs(offset->estimate - 500) <= offset->bound);
  CHECK(offset->bound <= 10);
  OffsetBounds rigid(0);
  rigid.add({.before = -2, .reference = 0, .after = 2});
  rigid.add({.before = 9'999'998, .reference = 9'999'500, .after = 10'000'002});
  CHECK_FALSE(rigid.offset(10'000'002).has_value());
}

TEST_CASE("a bound grows with the distance from its instant, before and after") {
  const Offset offset{.at = 1'000'000, .estimate = 5, .bound = 10, .drift = 1e-4};
  CHECK(bound_at(offset, 1'000'000) == 10);
  CHECK(bound_at(offset, 2'000'000) == 110);
  CHECK(bound_at(offset, 0) == 110);
}

}  // namespace hockney::benchmarks
