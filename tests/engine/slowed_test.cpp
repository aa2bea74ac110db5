#include "benchmarks/engine/slowed.hpp"

#include <catch2/catch.hpp>

#include "tests/support/mock_measuring.hpp"

using namespace hockney;

namespace {

constexpr double tick = 0x1p-20;

/// Ticks that a batch takes on a clock whose readings take one each.
std::int64_t ticks_of_batch(double share, std::int64_t iterations) {
  FakeClock clock(tick, {1});
  Slowed slowed(std::make_unique<FakeOperation>(clock, 50), clock, share, 50 * tick);
  const std::int64_t begin = clock.now();
  slowed.run_batch(iterations);
  return clock.now() - begin - 1;
}

}  // namespace

TEST_CASE("a share of nothing changes nothing, and reads no clock") {
  CHECK(ticks_of_batch(0, 100) == 5000);
}

TEST_CASE("a batch takes its share longer, to within two readings of the clock") {
  for (const double share : {0.05, 0.1, 0.2}) {
    const double expected = 5000 * (1 + share);
    CHECK(static_cast<double>(ticks_of_batch(share, 100)) >= expected);
    CHECK(static_cast<double>(ticks_of_batch(share, 100)) <= expected + 2);
  }
}

TEST_CASE("data are checked as before") {
  FakeClock clock(tick);
  Slowed slowed(std::make_unique<FakeOperation>(clock, 1), clock, 0.1, tick);
  slowed.refill(1, 1);
  CHECK(slowed.verify());
}
