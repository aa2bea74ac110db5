#include <catch2/catch.hpp>

#include "benchmarks/engine/prepared.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

/// A clock whose controls take these ticks, one after the other: of the four readings of a control
/// in wait(), the second is where its work lies.
FakeClock clock_of(const std::vector<std::int64_t>& controls) {
  std::vector<std::int64_t> costs{0};  // of the reading when waiting begins
  for (const std::int64_t control : controls) costs.insert(costs.end(), {control, 0, 0});
  return FakeClock(tick, costs);
}

}  // namespace

TEST_CASE("a control takes the time between two readings of the clock") {
  FakeClock clock(tick, {7});
  CHECK(time_noise_probe(clock) == 7 * tick);
  CHECK(clock.readings() == 2);
}

TEST_CASE("the first control is the calmest so far") {
  FakeClock clock = clock_of({100});
  SoloTeam group;
  CHECK(NoiseWatch().wait(group, clock, 1) == 100 * tick);
  CHECK(clock.readings() == 4);
}

TEST_CASE("a disturbed moment is waited out") {
  FakeClock clock = clock_of({100});
  SoloTeam group;
  NoiseWatch watch;
  watch.wait(group, clock, 1);
  FakeClock later = clock_of({180, 150, 111, 110, 100});
  CHECK(watch.wait(group, later, 1) == 110 * tick);  // a tenth slower than the calmest
  CHECK(later.readings() == 1 + 4 * 3);
}

TEST_CASE("patience ends") {
  FakeClock clock = clock_of({100});
  SoloTeam group;
  NoiseWatch watch;
  watch.wait(group, clock, 1);
  FakeClock later = clock_of({200, 200, 200});
  CHECK(watch.wait(group, later, 500 * tick) == 200 * tick);
  CHECK(later.readings() == 1 + 3 * 3);  // 200, 400, 600 ticks
}

TEST_CASE("the slowest rank decides, and all ranks meet before every control") {
  FakeClock clock = clock_of({100});
  CallLog log;
  RecordingTeam group(log, 2);
  CHECK(NoiseWatch().wait(group, clock, 1) == 200 * tick);
  CHECK(log == CallLog{"barrier", "maximum 2"});
}

TEST_CASE("a recording is of pieces without a pause, for as long as was requested") {
  // Two probes of 4 ticks, then pieces of 10, 10, 30, 10 ... ticks until 100 are over.
  FakeClock clock(tick, {4, 0, 4, 0, 10, 10, 30, 10, 10, 10, 10, 10, 10});
  const std::vector<double> pieces = record_work(clock, 100 * tick);
  REQUIRE(pieces.size() == 8);
  CHECK(pieces[0] == Approx(10 * tick));
  CHECK(pieces[2] == Approx(30 * tick));
  CHECK(pieces[7] == Approx(10 * tick));
}

}  // namespace hockney::benchmarks
