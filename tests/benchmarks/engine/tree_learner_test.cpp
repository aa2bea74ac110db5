#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "benchmarks/engine/clock.hpp"
#include "tests/support/simulated_cluster.hpp"

namespace hockney::benchmarks {
namespace {

constexpr double whole_second = 1e9;  // [ns]

/// By how much the global time of a participant is wrong now [ns].
double error(const SimulatedCluster& cluster, const ClockModel& model, int number) {
  const std::int64_t own = cluster.clock(number).read(cluster.time());
  return static_cast<double>(model.to_global(own) - cluster.clock(0).read(cluster.time()));
}

std::int64_t bound(const SimulatedCluster& cluster, const ClockModel& model, int number) {
  return model.certain_bound(cluster.clock(number).read(cluster.time()));
}

}  // namespace

TEST_CASE("no estimate is ever farther from the truth than its bound") {
  int checked = 0;
  std::vector<double> bounds;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const int participants = 2 + static_cast<int>(seed % 12);
    SimulatedCluster cluster(random_clocks(participants, 50e-6, seed), seed, {});
    cluster.pass(0);
    for (int number = 1; number < participants; ++number) {
      CAPTURE(seed, number);
      const auto model = cluster.learner(number).model(whole_second);
      REQUIRE(model);
      const std::int64_t limit = bound(cluster, *model, number);
      CHECK(std::abs(error(cluster, *model, number)) <= static_cast<double>(limit));
      bounds.push_back(static_cast<double>(limit));
      ++checked;
    }
  }
  CHECK(checked >= 1000);
  // And the bounds are worth having: a round trip takes 1.1 to 3 us, up to four hops add up.
  std::ranges::sort(bounds);
  CHECK(bounds.front() > 500);
  CHECK(bounds[bounds.size() / 2] < 5000);
}

TEST_CASE("passes over a longer time show the drift, and the certain bound still holds") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SimulatedCluster cluster(random_clocks(7, 50e-6, seed), seed, {});
    for (int i = 0; i < 20; ++i) cluster.pass(whole_second / 50);
    cluster.pass(0);
    for (int number = 1; number < 7; ++number) {
      CAPTURE(seed, number);
      const auto model = cluster.learner(number).model(4 * whole_second);
      REQUIRE(model);
      CHECK(std::abs(error(cluster, *model, number)) <=
            static_cast<double>(bound(cluster, *model, number)));
      const double relative = cluster.clock(number).drift - cluster.clock(0).drift;
      if (std::abs(relative) > 10e-6) CHECK(model->slope_used);
      if (model->slope_used) CHECK(model->slope == Approx(relative).margin(3e-6));
    }
  }
}

TEST_CASE("the predicted error is the error after the horizon, give or take") {
  int checked = 0;
  int within = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SimulatedCluster cluster(random_clocks(4, 50e-6, seed), seed, {});
    for (int i = 0; i < 20; ++i) cluster.pass(whole_second / 50);
    std::vector<ClockModel> models;
    for (int number = 1; number < 4; ++number) {
      models.push_back(cluster.learner(number).model(3 * whole_second).value());
    }
    cluster.pass(3 * whole_second);
    for (int number = 1; number < 4; ++number) {
      const ClockModel& model = models[static_cast<std::size_t>(number - 1)];
      const double limit = 3 * model.predicted_error(3 * whole_second);
      CHECK(limit < 100'000);  // uncorrected, 100 ppm are 300 us after 3 s
      within += std::abs(error(cluster, model, number)) <= limit ? 1 : 0;
      ++checked;
    }
  }
  CHECK(checked == 150);
  CHECK(within >= 145);
}

TEST_CASE("a clock that is set meanwhile is measured anew") {
  SimulatedCluster cluster(random_clocks(2, 10e-6, 5), 5, {});
  cluster.set_clock_later(1, 1'000'000, 10);
  cluster.pass(0);
  const auto model = cluster.learner(1).model(whole_second);
  REQUIRE(model);
  CHECK(std::abs(error(cluster, *model, 1)) <= static_cast<double>(bound(cluster, *model, 1)));
}

TEST_CASE("who learns from somebody without the time does not know it either") {
  const Effort once{.least = 30, .most = 30, .attempts = 1};
  SimulatedCluster failing(random_clocks(8, 10e-6, 6), 6, once);
  failing.set_clock_later(4, 1'000'000, 30 * 3 + 15);  // 1, 2 and 3 have asked 30 times each
  failing.pass(0);
  for (const int lost : {4, 5, 6, 7}) CHECK_FALSE(failing.learner(lost).known().has_value());
  for (const int safe : {0, 1, 2, 3}) CHECK(failing.learner(safe).known().has_value());
  CHECK_FALSE(failing.learner(6).model(whole_second).has_value());
  failing.pass(0);  // the next pass finds the clocks as they are now
  for (int number = 0; number < 8; ++number) CHECK(failing.learner(number).known().has_value());
}

TEST_CASE("asking ends soon after a quick round trip, and after the longest time") {
  const auto clocks = random_clocks(2, 0, 1);
  SimulatedCluster patient(clocks, 1, {.least = 500, .most = 500});
  patient.pass(0);
  SimulatedCluster hasty(clocks, 1, {.least = 5, .most = 500, .longest = 1});
  const double before = hasty.time();
  hasty.pass(0);
  CHECK(patient.time() - before > 500 * 1000.0);   // a round trip takes more than 1 us
  CHECK(hasty.time() - before < 6 * 2'001'000.0);  // and less than 2 ms as a rule
}

}  // namespace hockney::benchmarks
