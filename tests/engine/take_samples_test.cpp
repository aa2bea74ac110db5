#include <catch2/catch.hpp>

#include "benchmarks/engine/measure.hpp"
#include "tests/support/mock_measuring.hpp"

using namespace hockney;

namespace {

constexpr double tick = 0x1p-20;
using Samples = std::vector<double>;

}  // namespace

TEST_CASE("a sample is the time of one operation") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  SoloTeam team;
  CHECK(take_samples(operation, team, clock, {.batch = 25, .samples = 3}) ==
        Samples{6 * tick, 6 * tick, 6 * tick});
  // One iteration leads in untimed.
  CHECK(operation.batches() == std::vector<std::int64_t>{1, 25, 25, 25});
}

TEST_CASE("the divisor makes one operation of a round trip") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  SoloTeam team;
  CHECK(take_samples(operation, team, clock, {.divisor = 2, .batch = 32, .samples = 2}) ==
        Samples{3 * tick, 3 * tick});
}

TEST_CASE("nothing is deleted as an outlier and nothing untimed leaks in") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  operation.disturb(0, 999'999);  // while the team gathers
  operation.disturb(2, 64);
  SoloTeam team;
  CHECK(take_samples(operation, team, clock, {.batch = 64, .samples = 3}) ==
        Samples{6 * tick, 7 * tick, 6 * tick});
}

TEST_CASE("the cost of reading the clock enters once a batch") {
  FakeClock clock(tick, {16});
  FakeOperation operation(clock, 6);
  SoloTeam team;
  CHECK(take_samples(operation, team, clock, {.batch = 16, .samples = 1}) == Samples{7 * tick});
  CHECK(clock.readings() == 2);
}

TEST_CASE("timed on the first rank, only the gathering synchronises") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam team(log, 3);
  const Samples samples = take_samples(operation, team, clock, {.batch = 4, .samples = 2});
  CHECK(samples == Samples{6 * tick, 6 * tick});
  CHECK(log == CallLog{"barrier", "batch 1", "batch 4", "batch 4"});
}

TEST_CASE("timed as the longest, every sample starts from a barrier and the slowest rank counts") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam team(log, 3);
  const Samples samples =
      take_samples(operation, team, clock, {.timing = Timing::longest, .batch = 4, .samples = 2});
  CHECK(samples == Samples{18 * tick, 18 * tick});
  CHECK(log ==
        CallLog{"barrier", "batch 1", "barrier", "batch 4", "barrier", "batch 4", "maximum 2"});
}

TEST_CASE("differences stay exact however long the machine has been up") {
  FakeClock clock(1e-9);
  clock.advance(std::int64_t{1} << 62);  // 146 years: a double of seconds would round to 512 ns
  FakeOperation operation(clock, 3);
  SoloTeam team;
  CHECK(take_samples(operation, team, clock, {.samples = 1}) == Samples{3 * 1e-9});
}
