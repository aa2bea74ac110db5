#include <catch2/catch.hpp>

#include "benchmarks/engine/prepared.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

/// Ticks of 100 iterations of 50, each slowed by `extra`.
std::int64_t ticks_of_batch(double extra) {
  FakeClock clock(tick);
  const auto spin = [&](std::int64_t ticks) { clock.advance(ticks); };
  Slowed slowed(std::make_unique<FakeOperation>(clock, 50), spin, extra);
  const std::int64_t begin = clock.now();
  slowed.run_batch(100);
  return clock.now() - begin;
}

}  // namespace

TEST_CASE("a batch takes longer by what was planted, and by nothing else") {
  CHECK(ticks_of_batch(0) == 5000);
  CHECK(ticks_of_batch(2.5) == 5250);
  CHECK(ticks_of_batch(10) == 6000);
}

TEST_CASE("data are checked as before") {
  FakeClock clock(tick);
  Slowed slowed(
      std::make_unique<FakeOperation>(clock, 1), [](std::int64_t) {}, 0.1);
  slowed.refill(1, 1);
  CHECK(slowed.verify());
}

}  // namespace hockney::benchmarks
