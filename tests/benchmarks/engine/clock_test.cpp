#include "benchmarks/engine/clock.hpp"

#include <catch2/catch.hpp>

#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {
constexpr double fine_tick = 0x1p-30;
}

TEST_CASE("cost is the median step of back-to-back readings, resolution the smallest") {
  FakeClock clock(fine_tick, {5, 3, 100, 4, 5});
  const Clock facts = examine(clock, 10);
  CHECK(clock.readings() == 11);
  CHECK(facts.source == "fake");
  CHECK(facts.resolution_seconds == 3 * fine_tick);
  CHECK(facts.cost_seconds == 5 * fine_tick);
}

TEST_CASE("steps of nothing do not count for the resolution") {
  FakeClock clock(fine_tick,
                  {0, 0, 0, 7});  // a coarse clock: three readings of four do not move it
  const Clock facts = examine(clock, 8);
  CHECK(facts.resolution_seconds == 7 * fine_tick);
  CHECK(facts.cost_seconds == 0);
}

TEST_CASE("a clock that stands still has neither cost nor resolution") {
  FakeClock clock(fine_tick);
  const Clock facts = examine(clock);
  CHECK(facts.resolution_seconds == 0);
  CHECK(facts.cost_seconds == 0);
}

TEST_CASE("a team goes by its coarsest clock") {
  CallLog log;
  RecordingTeam group(log, 1.5);  // the partner's clock is half as coarse again
  const Clock facts =
      coarsest({.source = "fake", .resolution_seconds = 2, .cost_seconds = 4}, group);
  CHECK(facts.source == "fake");
  CHECK(facts.resolution_seconds == 3);
  CHECK(facts.cost_seconds == 6);
  CHECK(log == CallLog{"maximum 2"});
}

}  // namespace hockney::benchmarks
