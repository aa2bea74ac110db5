#include "health/detection/dating.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "verdicts/clock_truth.hpp"

namespace hockney::health {

TEST_CASE("the energy split of two levels lies between them") {
  const std::vector<double> values{0, 0, 0, 1, 1};
  const auto split = energy_split(values);
  REQUIRE(split);
  CHECK(split->first_after == 3);
  CHECK(split->statistic == Approx(3.0 * 2 / 5 * 2));  // E|X-Y| = 1, both sides constant
}

TEST_CASE("the energy statistic is that of its definition") {
  const std::vector<double> values{0.3, 1.1, 0.2, 2.0, 1.7, 2.4};
  const auto split = energy_split(values, {.earliest = 3, .latest = 3});
  REQUIRE(split);
  const double between = ((2.0 - 0.3) + (1.7 - 0.3) + (2.4 - 0.3) + (2.0 - 1.1) + (1.7 - 1.1) +
                          (2.4 - 1.1) + (2.0 - 0.2) + (1.7 - 0.2) + (2.4 - 0.2)) /
                         9;
  const double left = (0.8 + 0.1 + 0.9) / 3;
  const double right = (0.3 + 0.4 + 0.7) / 3;
  CHECK(split->statistic == Approx(9.0 / 6 * (2 * between - left - right)));
}

TEST_CASE("a split stays within its range") {
  const std::vector<double> values{0, 0, 0, 0, 0, 0, 1, 1, 1};
  CHECK(energy_split(values)->first_after == 6);
  CHECK(energy_split(values, {.latest = 5})->first_after == 5);
  CHECK(energy_split(values, {.earliest = 7})->first_after == 7);
  CHECK_FALSE(energy_split(values, {.earliest = 8}));
  CHECK_FALSE(energy_split(values, {.latest = 1}));
  CHECK_FALSE(energy_split(std::vector<double>{1, 2, 3}));
}

TEST_CASE("a clear step is dated to the night and sized exactly") {
  std::vector<double> values(40, std::log(2.0));
  for (std::size_t i = 33; i < values.size(); ++i) values[i] = std::log(3.0);
  const auto change = date_change(values, {.latest = 36});
  REQUIRE(change);
  CHECK(change->first == 33);
  CHECK(change->earliest == 33);
  CHECK(change->latest == 33);
  CHECK(change->change == Approx(0.5));
  CHECK(change->interval.low == Approx(0.5));
  CHECK(change->interval.high == Approx(0.5));
}

TEST_CASE("too few nights have no date") {
  CHECK_FALSE(date_change(std::vector<double>(6, 1.0), {.latest = 5}));
  CHECK_FALSE(date_change(std::vector<double>(60, 1.0), {.latest = 4}));
  CHECK_FALSE(date_change({}, {.latest = 0}));
}

namespace {

struct DatingStudy {
  verdicts::Rate size;  ///< intervals that hold the true change
  verdicts::Rate day;   ///< intervals that hold the true night
  verdicts::Rate near;  ///< dated to the night or one beside it
};

DatingStudy study(double rho, std::size_t after, int trials) {
  constexpr std::size_t before = 90;
  constexpr double truth = 0.10;
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  DatingStudy study;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(before + after);
    double state = normal(random);
    for (std::size_t i = 0; i < values.size(); ++i) {
      state = rho * state + std::sqrt(1 - rho * rho) * normal(random);
      values[i] = 0.02 * state + (i < before ? 0 : std::log1p(truth));
    }
    const auto change = date_change(values, {.latest = before + 3, .seed = 5}).value();
    study.size.hits += change.interval.low <= truth && truth <= change.interval.high;
    study.day.hits += change.earliest <= before && before <= change.latest;
    study.near.hits += change.first + 1 >= before && change.first <= before + 1;
    study.size.trials = study.day.trials = study.near.trials = trial + 1;
  }
  return study;
}

}  // namespace

TEST_CASE("intervals hold the true size and night as often as they say") {
  for (const std::size_t after : {5U, 20U}) {
    const DatingStudy found = study(0, after, 300);
    INFO(after << " nights after: size " << *found.size.share() << " day " << *found.day.share());
    CHECK(found.size.interval()->high >= 0.92);
    CHECK(found.day.interval()->high >= 0.95);
    CHECK(*found.near.share() >= 0.95);
  }
  const DatingStudy correlated = study(0.5, 20, 300);
  INFO("correlated: size " << *correlated.size.share() << " day " << *correlated.day.share());
  CHECK(*correlated.size.share() >= 0.80);
  CHECK(*correlated.near.share() >= 0.90);
}

}  // namespace hockney::health
