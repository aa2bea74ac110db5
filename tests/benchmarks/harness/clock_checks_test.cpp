#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/environment.hpp"
#include "core/sample_unit.hpp"

namespace hockney::benchmarks {
namespace {

/// The clock of this machine as another host would see it.
class AheadClock final : public TickClock {
 public:
  explicit AheadClock(std::int64_t ahead) : clock_(make_clock()), ahead_(ahead) {}

  std::int64_t now() override { return clock_->now() + ahead_; }
  [[nodiscard]] double seconds_per_tick() const override { return clock_->seconds_per_tick(); }
  [[nodiscard]] std::string source() const override { return "ahead"; }

 private:
  std::unique_ptr<TickClock> clock_;
  std::int64_t ahead_;
};

std::size_t others() { return static_cast<std::size_t>(size_of(MPI_COMM_WORLD) - 1); }

TEST_CASE("every rank but the first finds something at every check") {
  const auto clock = make_clock();
  const bool first = rank_in(MPI_COMM_WORLD) == 0;
  const auto findings = check_clocks(MPI_COMM_WORLD, *clock, 5);
  CHECK(findings.size() == (first ? 0U : 5U));
  for (const ClockSelfTest& found : findings) {
    CHECK(found.passed);
    CHECK(std::abs(found.estimate_seconds) <= found.bound_seconds);
    CHECK(found.bound_seconds > 0);
  }
}

TEST_CASE("findings arrive at rank 0 in order of ranks") {
  const int rank = rank_in(MPI_COMM_WORLD);
  const ClockSelfTest own{
      .estimate_seconds = -1.5 * rank, .bound_seconds = 1e-9 * rank, .passed = rank % 2 == 0};
  const auto all = gather_findings(MPI_COMM_WORLD,
                                   std::vector<ClockSelfTest>(static_cast<std::size_t>(rank), own));
  if (rank != 0) {
    CHECK(all.empty());
    return;
  }
  std::size_t next = 0;
  for (int from = 1; from < size_of(MPI_COMM_WORLD); ++from) {
    for (int i = 0; i < from; ++i, ++next) {
      REQUIRE(next < all.size());
      CHECK(all[next] == ClockSelfTest{-1.5 * from, 1e-9 * from, from % 2 == 0});
    }
  }
  CHECK(all.size() == next);
}

TEST_CASE("checks are kept with the other facts, on rank 0") {
  const auto clock = make_clock();
  ClockSync sync(MPI_COMM_WORLD, *clock);
  CHECK_FALSE(sync.facts().checks.has_value());
  sync.check(7);
  const bool has_any = rank_in(MPI_COMM_WORLD) == 0 && others() > 0;
  REQUIRE(sync.facts().checks.has_value() == has_any);
  if (has_any) CHECK(sync.facts().checks->size() == 7 * others());
}

TEST_CASE("where no ranks share a clock there is nothing to check") {
  const auto clock = make_clock();
  ClockSync sync(MPI_COMM_WORLD, *clock,
                 {.horizon_seconds = 0, .grouping = ClockGrouping::each_alone});
  sync.check(3);
  CHECK_FALSE(sync.facts().checks.has_value());
}

TEST_CASE("a test that fails does not hide the group from the checks") {
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) == 1) return;
  AheadClock clock(rank * std::int64_t{1'000'000'000});
  ClockSync sync(MPI_COMM_WORLD, clock, {.horizon_seconds = 0});
  CHECK_FALSE(sync.facts().self_test->passed);
  sync.check(2);
  if (rank != 0) return;
  REQUIRE(sync.facts().checks);
  CHECK(sync.facts().checks->size() == 2 * others());
  CHECK_FALSE(sync.facts().checks->front().passed);
  const ClockSelfTest found = sync.facts().checks->front();  // of rank 1, which is 1 s ahead
  CHECK(std::abs(found.estimate_seconds - 1) <= found.bound_seconds);
}

}  // namespace

TEST_CASE("files know the unit of this clock by its name") {
  const auto clock = make_clock();
  CHECK(unit_of_clock(clock->source()) == clock->seconds_per_tick());
}

}  // namespace hockney::benchmarks
