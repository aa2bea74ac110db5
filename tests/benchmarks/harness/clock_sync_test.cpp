#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {
namespace {

/// The clock of this machine as another host would see it: so far ahead, so much faster.
class OtherClock final : public TickClock {
 public:
  OtherClock(std::int64_t ahead, double drift)
      : clock_(make_clock()), start_(clock_->now()), ahead_(ahead), drift_(drift) {}

  std::int64_t now() override { return of(clock_->now()); }
  /// What it shows when the clock of the machine shows `machine`.
  [[nodiscard]] std::int64_t of(std::int64_t machine) const {
    const auto gained = std::floor(drift_ * static_cast<double>(machine - start_));
    return machine + ahead_ + static_cast<std::int64_t>(gained);
  }
  /// Sets it.
  void step(std::int64_t ticks) { ahead_ += ticks; }

  [[nodiscard]] double seconds_per_tick() const override { return 1e-9; }
  [[nodiscard]] std::string source() const override { return "other"; }

 private:
  std::unique_ptr<TickClock> clock_;
  std::int64_t start_;
  std::int64_t ahead_;
  double drift_;
};

SyncOptions alone(double horizon_seconds) {
  return {.horizon_seconds = horizon_seconds, .grouping = ClockGrouping::each_alone};
}

/// This rank's global clock is within its bound of the truth: the clock of rank 0 is
/// that of the machine, on which all ranks run.
void check_truth(const GlobalClock& global, const OtherClock& own) {
  const std::int64_t machine = make_clock()->now();
  const std::int64_t local = own.of(machine);
  INFO("error " << global.to_global(local) - machine);
  INFO("bound " << global.model().certain_bound(local));
  CHECK(std::abs(global.to_global(local) - machine) <= global.model().certain_bound(local));
}

TEST_CASE("ranks of one machine share a clock, and the algorithm proves itself on it") {
  const auto clock = make_clock();
  const ClockSync sync(MPI_COMM_WORLD, *clock);
  CHECK(sync.facts().scheme == "same-clock");
  CHECK(sync.facts().bound_seconds == 0);
  CHECK_FALSE(sync.facts().slope_used);
  CHECK(sync.facts().duration_seconds > 0);
  CHECK(sync.facts().self_test.has_value() == (size_of(MPI_COMM_WORLD) > 1));
  if (sync.facts().self_test) {
    CHECK(sync.facts().self_test->passed);
    CHECK(std::abs(sync.facts().self_test->estimate_seconds) <=
          sync.facts().self_test->bound_seconds);
  }
  const std::int64_t now = clock->now();
  CHECK(sync.global().to_global(now) == now);
  CHECK(sync.global().to_local(now) == now);
}

TEST_CASE("the tree between ranks of one machine finds 0 within its bound, always") {
  const auto clock = make_clock();
  for (int i = 0; i < 20; ++i) {
    const auto model = estimate_clock(MPI_COMM_WORLD, *clock, {});
    REQUIRE(model);
    CHECK(std::abs(model->anchor.estimate) <= model->anchor.bound);
  }
}

TEST_CASE("ranks without a common clock synchronise each for itself") {
  const int rank = rank_in(MPI_COMM_WORLD);
  OtherClock clock(std::int64_t{rank} * 3'000'000'000, rank * 20e-6);
  ClockSync sync(MPI_COMM_WORLD, clock, alone(1));
  if (size_of(MPI_COMM_WORLD) == 1) {
    CHECK(sync.facts().scheme == "same-clock");
    return;
  }
  CHECK(sync.facts().scheme == "hca3");
  CHECK_FALSE(sync.facts().self_test.has_value());
  GlobalClock global = sync.global();
  check_truth(global, clock);
  CHECK(sync.facts().bound_seconds > 0);
  const std::int64_t now = global.now();
  CHECK(std::abs(now - make_clock()->now()) < 1'000'000'000);
  CHECK(std::abs(global.to_global(global.to_local(now)) - now) <= 1);
}

TEST_CASE("a clock that was set while measuring is noticed at the end") {
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) == 1) return;
  OtherClock clock(std::int64_t{rank} * 1'000'000, 0);
  ClockSync sync(MPI_COMM_WORLD, clock, alone(0));
  CHECK_FALSE(sync.drifted());
  sync.measure_again();
  CHECK(sync.facts().end_error_seconds.has_value());
  CHECK_FALSE(sync.drifted());
  if (rank == 1) clock.step(1'000'000'000);
  sync.measure_again();
  CHECK(sync.facts().end_error_seconds.value() == Approx(1).epsilon(0.5));
  CHECK(sync.drifted());
}

TEST_CASE("ranks that say they share a clock and do not are found out") {
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) == 1) return;
  OtherClock clock(std::int64_t{rank} * 5'000'000'000, 0);
  ClockSync sync(MPI_COMM_WORLD, clock, {.horizon_seconds = 0});
  CHECK(sync.facts().scheme == "hca3");
  REQUIRE(sync.facts().self_test);
  CHECK_FALSE(sync.facts().self_test->passed);
  check_truth(sync.global(), clock);
}

TEST_CASE("clocks are the same by boot and time namespace") {
  CHECK(clock_groups({"a", "b", "a", "b", "c"}) == std::vector<int>{0, 1, 0, 1, 4});
  CHECK(clock_groups({"", "a", "", "a"}) == std::vector<int>{0, 1, 2, 1});
  CHECK_FALSE(clock_identity().empty());
}

TEST_CASE("the worst finding is the one that most exceeds its bound, failures first") {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  CHECK_FALSE(worst_of(MPI_COMM_WORLD, std::nullopt).has_value());
  const auto worst =
      worst_of(MPI_COMM_WORLD, ClockSelfTest{.estimate_seconds = rank == last ? -2.0 : 1.0,
                                             .bound_seconds = rank == last ? 2.5 : 2.0,
                                             .passed = true});
  CHECK(worst == ClockSelfTest{.estimate_seconds = -2, .bound_seconds = 2.5, .passed = true});
  const ClockSelfTest failed{.passed = false};
  const auto failure = worst_of(MPI_COMM_WORLD, rank == last ? failed : ClockSelfTest{5, 1, true});
  CHECK(failure == failed);
}

}  // namespace
}  // namespace hockney::benchmarks
