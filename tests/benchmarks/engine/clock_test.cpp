#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t up = 3'000'000 * second;  // a month

/// Offsets of a clock that drifts by `slope`, measured `count` times `step` apart, each wrong by up
/// to `noise`, which is its bound.
std::vector<Offset> offsets(int count, std::int64_t step, double slope, std::int64_t noise) {
  std::mt19937_64 engine(3);
  std::uniform_int_distribution<std::int64_t> error(-noise, noise);
  std::vector<Offset> found;
  for (int i = 0; i < count; ++i) {
    const double elapsed = static_cast<double>(i * step);
    found.push_back({.at = up + i * step,
                     .estimate = 7 * second + std::llround(slope * elapsed) + error(engine),
                     .bound = noise});
  }
  return found;
}

}  // namespace

TEST_CASE("the identity is exact at any time") {
  const ClockModel model;
  CHECK(model.to_global(up + 1) == up + 1);
  CHECK(model.to_local(up + 1) == up + 1);
  CHECK(model.certain_bound(up) == 0);
  CHECK(model.predicted_error(1e9) == 0);
}

TEST_CASE("global and local time by hand") {
  const ClockModel model{.anchor = {.at = 1000, .estimate = 300}, .slope = 0.5};
  CHECK(model.to_global(1000) == 700);
  CHECK(model.to_global(1100) == 750);  // 1100 - (300 + 0.5 * 100)
  CHECK(model.to_local(700) == 1000);
  CHECK(model.to_local(750) == 1100);
}

TEST_CASE("local time of global time is the way back, to one tick") {
  const ClockModel model{.anchor = {.at = up, .estimate = -9 * second}, .slope = 43.21e-6};
  for (std::int64_t local = up - 5 * second; local < up + 100 * second; local += 777'777'777) {
    CHECK(std::abs(model.to_local(model.to_global(local)) - local) <= 1);
  }
}

TEST_CASE("a drift without noise is found exactly") {
  const auto drift = fit_drift(offsets(11, second / 10, 20e-6, 0));
  REQUIRE(drift);
  CHECK(drift->slope == Approx(20e-6).epsilon(1e-12));
  CHECK(drift->error < 1e-15);
}

TEST_CASE("slope and standard error of a textbook line") {
  // x = 0 1 2 3, y = 0 1 1 2: slope 0.6, residuals -0.1 0.3 -0.3 0.1, error sqrt(0.2 / 2 / 5).
  const std::vector<Offset> points{{.at = 0, .estimate = 0},
                                   {.at = 1, .estimate = 1},
                                   {.at = 2, .estimate = 1},
                                   {.at = 3, .estimate = 2}};
  const auto drift = fit_drift(points);
  REQUIRE(drift);
  CHECK(drift->slope == Approx(0.6));
  CHECK(drift->error == Approx(std::sqrt(0.02)));
}

TEST_CASE("no drift is told from fewer than three offsets or from one instant") {
  CHECK_FALSE(fit_drift(offsets(2, second, 1e-6, 0)).has_value());
  CHECK_FALSE(fit_drift(offsets(5, 0, 0, 3)).has_value());
  CHECK_FALSE(fit_clock({}, 1).has_value());
}

TEST_CASE("a significant slope learnt long enough is used") {
  const auto model = fit_clock(offsets(20, second / 20, 20e-6, 100), 9.5 * second);
  REQUIRE(model);
  CHECK(model->slope_used);
  CHECK(model->slope == Approx(20e-6).margin(3 * model->rate_error));
  const std::int64_t later = up + 5 * second;  // the clock is then 7 s + 100 us ahead
  CHECK(std::abs(model->to_global(later) - (later - 7 * second - 100'000)) <= 100 + 5000);
  CHECK(model->predicted_error(1e9) ==
        Approx(std::hypot(static_cast<double>(model->anchor.bound), 1e9 * model->rate_error)));
}

TEST_CASE("the certain bound allows for any drift within the limit, whatever slope was used") {
  const auto model = fit_clock(offsets(20, second / 20, 20e-6, 0), second);
  REQUIRE(model);
  CHECK(model->slope_used);
  const std::int64_t later = model->anchor.at + second;
  CHECK(model->certain_bound(later) == Approx(121'000).epsilon(1e-6));  // (101 + 20) ppm of 1 s
}

TEST_CASE("an offset that was disturbed does not bend the slope") {
  auto points = offsets(20, second / 20, 20e-6, 100);
  points[3].estimate += 2'000'000;
  points[3].bound = 3'000'000;
  const auto model = fit_clock(points, 5 * second);
  REQUIRE(model);
  CHECK(model->slope_used);
  CHECK(model->slope == Approx(20e-6).margin(0.2e-6));
}

TEST_CASE("a slope learnt over less than a tenth of the horizon is not used") {
  const auto points = offsets(20, second / 20, 20e-6, 100);
  CHECK(fit_clock(points, 9.4 * second)->slope_used);
  const auto model = fit_clock(points, 9.6 * second);
  CHECK_FALSE(model->slope_used);
  CHECK(model->slope == 0);
  CHECK(model->rate_error == Approx(20e-6).epsilon(0.01));  // stays in the error
}

TEST_CASE("a slope steeper than clocks can drift is not believed") {
  CHECK(fit_clock(offsets(20, second / 20, 100e-6, 0), second)->slope_used);
  CHECK_FALSE(fit_clock(offsets(20, second / 20, 102e-6, 0), second)->slope_used);
}

TEST_CASE("a slope that only one half of the offsets shows is a step, and not used") {
  std::vector<Offset> points = offsets(20, second / 20, 0, 10);
  for (std::size_t i = 14; i < points.size(); ++i) points[i].estimate += 2000;
  const auto drift = fit_drift(points);
  REQUIRE(drift);
  REQUIRE(drift->slope > 3 * drift->error);
  CHECK_FALSE(fit_clock(points, second)->slope_used);
}

TEST_CASE("a slope within three standard errors is not used") {
  const auto model = fit_clock(offsets(20, second / 20, 0, 100), second);
  REQUIRE(model);
  CHECK_FALSE(model->slope_used);
  CHECK(model->to_global(up + second) == up + second - model->anchor.estimate);
}

TEST_CASE("the offset is what all measurements say of the last instant") {
  // The last of them was disturbed; the one before was not, 1 ms earlier.
  std::vector<Offset> points{{.at = up, .estimate = 500, .bound = 20},
                             {.at = up + 1'000'000, .estimate = 9000, .bound = 9000}};
  const auto model = fit_clock(points, second);
  REQUIRE(model);
  CHECK(model->anchor.at == up + 1'000'000);
  CHECK(model->anchor.estimate == 500);
  CHECK(model->anchor.bound == 20 + 101);
}

TEST_CASE("measurements that contradict each other leave the last one alone") {
  const std::vector<Offset> points{{.at = up, .estimate = 500, .bound = 20},
                                   {.at = up + 1000, .estimate = 900, .bound = 30}};
  const auto model = fit_clock(points, second);
  REQUIRE(model);
  CHECK(model->anchor == points.back());
}

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
