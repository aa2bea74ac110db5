#include <algorithm>
#include <catch2/catch.hpp>

#include "benchmarks/engine/sampling.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

Pace pace(std::int64_t shortest_ticks, std::int64_t visit_ticks) {
  return {.shortest_sample_seconds = static_cast<double>(shortest_ticks) * tick,
          .block_seconds = static_cast<double>(visit_ticks) * tick};
}

}  // namespace

TEST_CASE("the shortest sample is a hundred times what the clock costs or cannot see") {
  CHECK(shortest_sample({.resolution_seconds = 1, .cost_seconds = 2}) == Approx(2000));
  CHECK(shortest_sample({.resolution_seconds = 3, .cost_seconds = 2}) == Approx(3000));
  CHECK(shortest_sample({}) == 0);
}

TEST_CASE("batches are as long as the timer asks, samples as many as the visit has time for") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  SoloTeam group;
  const Sampling chosen = calibrate(operation, group, clock, {}, pace(100, 1000));
  CHECK(chosen.batch == 25);    // 100 ticks of 4
  CHECK(chosen.samples == 10);  // 1000 ticks of 100
  // Three tries each, with 16 times as many iterations at most, until a batch takes 100 ticks.
  CHECK(operation.batches() == std::vector<std::int64_t>{1, 1, 1, 16, 16, 16, 32, 32, 32});
}

TEST_CASE("where starts take long, visits have fewer samples, of the same length") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  SoloTeam group;
  const Sampling given{.start_seconds = 150 * tick};
  const Sampling chosen = calibrate(operation, group, clock, given, pace(100, 1000));
  CHECK(chosen.batch == 25);
  CHECK(chosen.samples == 4);  // 1000 ticks of 100 + 150
}

TEST_CASE("a batch is never shorter than asked") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 3);
  SoloTeam group;
  CHECK(calibrate(operation, group, clock, {}, pace(100, 1000)).batch == 34);  // 33.3 rounded up
}

TEST_CASE("a long visit takes longer samples, not more") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  SoloTeam group;
  const Sampling chosen = calibrate(operation, group, clock, {}, pace(100, 102'400));
  CHECK(chosen.samples == 100);
  CHECK(chosen.batch == 256);
}

TEST_CASE("a slow operation is one sample of one") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 1'000'000);
  SoloTeam group;
  const Sampling chosen = calibrate(operation, group, clock, {}, pace(100, 1000));
  CHECK(chosen.batch == 1);
  CHECK(chosen.samples == 1);
  CHECK(operation.batches().size() == 3);
}

TEST_CASE("a disturbance in any two of three tries does not fool it") {
  for (const std::size_t quiet : {0U, 1U, 2U}) {
    FakeClock clock(tick);
    FakeOperation operation(clock, 4);
    for (std::size_t batch = 0; batch < 9; ++batch) {
      if (batch % 3 != quiet) operation.disturb(batch, 1'000'000);
    }
    SoloTeam group;
    const Sampling chosen = calibrate(operation, group, clock, {}, pace(100, 1000));
    CHECK(chosen.batch == 25);
    CHECK(chosen.samples == 10);
  }
}

TEST_CASE("what the caller chose besides is kept") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  SoloTeam group;
  const Sampling given{.timing = Timing::last_rank, .divisor = 2};
  const Sampling chosen = calibrate(operation, group, clock, given, pace(100, 1000));
  CHECK(chosen.timing == Timing::last_rank);
  CHECK(chosen.divisor == 2);
}

TEST_CASE("a clock without cost, as in a simulator, keeps batches of one") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  SoloTeam group;
  const Sampling chosen = calibrate(operation, group, clock, {.samples = 5}, pace(0, 1000));
  CHECK(chosen.batch == 1);
  CHECK(chosen.samples == 5);
}

TEST_CASE("an operation that takes no time at all ends the search") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 0);
  SoloTeam group;
  const Sampling chosen = calibrate(operation, group, clock, {.samples = 5}, pace(100, 1000));
  CHECK(chosen.batch == 1);
  CHECK(chosen.samples == 5);
  CHECK(operation.batches().back() == std::int64_t{1} << 20);
}

TEST_CASE("the slowest rank decides how long a batch is") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  CallLog log;
  RecordingTeam group(log, 2);  // the partner needs 8 ticks
  const Sampling chosen = calibrate(operation, group, clock, {}, pace(100, 1000));
  CHECK(chosen.batch == 13);                       // 12.5 rounded up
  CHECK(chosen.samples == 10);                     // 1000 / 104 = 9.6 rounded up
  CHECK(std::ranges::count(log, "barrier") == 6);  // 1 and 13 iterations, three tries each
  CHECK(std::ranges::count(log, "maximum 1") == 6);
}

TEST_CASE("every rank gets the first one's answer") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  CallLog log;
  RecordingTeam group(log, 1, {7, 3});
  const Sampling chosen = calibrate(operation, group, clock, {}, pace(100, 1000));
  CHECK(chosen.batch == 7);
  CHECK(chosen.samples == 3);
  CHECK(log[log.size() - 2] == "from_first 25");
  CHECK(log.back() == "from_first 10");
}

namespace {

/// What is chosen for an operation of 4 ticks with memory for so many iterations.
Sampling with_memory_for(std::int64_t iterations, Sampling sampling, const Pace& pace) {
  FakeClock clock(tick);
  FakeOperation operation(clock, 4);
  operation.limit_to(iterations);
  SoloTeam group;
  return calibrate(operation, group, clock, sampling, pace);
}

}  // namespace

TEST_CASE("with memory for few iterations a visit has fewer samples, and at last shorter ones") {
  const Sampling plenty = with_memory_for(1'000'000, {}, pace(100, 1000));
  CHECK(plenty.batch == 25);
  CHECK(plenty.samples == 10);
  const Sampling some = with_memory_for(101, {}, pace(100, 1000));
  CHECK(some.batch == 25);
  CHECK(some.samples == 4);
  CHECK(iterations_of_block(some) == 101);  // one of them to gather
  const Sampling few = with_memory_for(11, {}, pace(100, 1000));
  CHECK(few.batch == 10);
  CHECK(few.samples == 1);
  const Sampling least = with_memory_for(2, {}, pace(100, 1000));
  CHECK(least.batch == 1);
  CHECK(least.samples == 1);
  CHECK(iterations_of_block(least) == 2);
}

TEST_CASE("with memory for few iterations samples are rather shorter than fewer") {
  const Sampling chosen = with_memory_for(4001, {}, pace(100, 102'400));  // of 256 without a limit
  CHECK(chosen.batch == 40);
  CHECK(chosen.samples == 100);
}

TEST_CASE("where starts can be late, a fifth of the memory is left to repeat them") {
  const Sampling last{.timing = Timing::last_rank};
  const Sampling some = with_memory_for(126, last, pace(100, 1000));
  CHECK(some.batch == 25);
  CHECK(some.samples == 4);
  CHECK(some.spares == 1);
  CHECK(most_starts(some) == 5);
  CHECK(iterations_of_block(some) == 126);
  const Sampling least = with_memory_for(2, last, pace(100, 1000));
  CHECK(least.samples == 1);
  CHECK(least.spares == 0);
  CHECK(iterations_of_block(least) == 2);
  const Sampling plenty = with_memory_for(1'000'000, last, pace(100, 1000));
  CHECK(plenty.samples == 10);
  CHECK(plenty.spares == 4);
  const Sampling many = with_memory_for(1'000'000, last, pace(100, 10'000));
  CHECK(many.samples == 100);
  CHECK(many.spares == 25);
}

TEST_CASE("no visit takes more iterations than there is memory for") {
  for (const Timing timing : {Timing::first_rank, Timing::last_rank}) {
    for (std::int64_t memory = 2; memory < 600; ++memory) {
      const Sampling chosen = with_memory_for(memory, {.timing = timing}, pace(100, 2000));
      CHECK(iterations_of_block(chosen) <= memory);
      CHECK(chosen.samples >= 1);
    }
  }
}

TEST_CASE("without a limit all late starts may be repeated twice") {
  CHECK(most_starts({.timing = Timing::first_rank, .samples = 7}) == 7);
  CHECK(most_starts({.timing = Timing::last_rank, .samples = 7}) == 21);
  CHECK(iterations_of_block({.timing = Timing::last_rank, .batch = 3, .samples = 7}) == 64);
}

}  // namespace hockney::benchmarks
