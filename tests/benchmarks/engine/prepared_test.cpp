#include <catch2/catch.hpp>

#include "benchmarks/engine/prepared.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

/// Rounds that a clock says go into one of its ticks, when its readings take these ticks in turn.
double pace_on(const std::vector<std::int64_t>& readings) {
  FakeClock clock(tick, readings);
  FakeOperation operation(clock, 50);
  SpinPace pace(operation, clock);
  for (int i = 0; i < 9; ++i) pace.run_batch(3);
  return pace.rounds_per_tick();
}

}  // namespace

TEST_CASE("the pace is rounds over ticks, without what a reading of the clock takes") {
  CHECK(pace_on({5, 405, 0}) == Approx(10));
  CHECK(pace_on({20, 2020, 7}) == Approx(2));
}

TEST_CASE("on a clock that stands still there is no pace") { CHECK(pace_on({0}) == 0); }

}  // namespace hockney::benchmarks
