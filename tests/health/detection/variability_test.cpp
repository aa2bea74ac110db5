#include "health/detection/variability.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "verdicts/clock_truth.hpp"

namespace hockney::health {

TEST_CASE("the spread of launches is a robust coefficient of variation") {
  // Distances of the logarithms 0, 1, 3: 1, 2, 3.
  const auto spread = run_to_run_spread(std::vector<double>{1, std::exp(1.0), std::exp(3.0)});
  REQUIRE(spread);
  CHECK(spread->value == Approx(2 / 0.9538725524));
  CHECK_FALSE(spread->interval);
  CHECK(spread->launches == 3);
  CHECK_FALSE(run_to_run_spread(std::vector<double>{1, 2}));
  CHECK_THROWS_AS(run_to_run_spread(std::vector<double>{1, 2, 0}), InputError);
}

TEST_CASE("the interval of the spread holds the truth as often as it says") {
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal(0, 0.03);
  verdicts::Rate held;
  double sum = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> launches(14);
    for (double& launch : launches) launch = std::exp(normal(random));
    const auto spread = run_to_run_spread(launches);
    REQUIRE(spread->interval);
    CHECK(spread->interval->level >= 0.95);
    held.hits += spread->interval->low <= 0.03 && 0.03 <= spread->interval->high;
    held.trials = trial + 1;
    sum += spread->value;
  }
  CHECK(held.interval()->high >= 0.95);
  CHECK(sum / 400 == Approx(0.03).epsilon(0.05));
}

TEST_CASE("the rate of outliers is that of the usual launch") {
  const std::vector<LaunchOutliers> launches{{1, 100}, {0, 0},   {2, 100}, {30, 100},
                                             {0, 100}, {1, 100}, {1, 100}};
  const auto rate = outlier_rate(launches);
  REQUIRE(rate);
  CHECK(rate->value == Approx(0.01));
  CHECK(rate->launches == 6);
  REQUIRE(rate->interval);
  CHECK(rate->interval->low == 0);
  CHECK(rate->interval->high == Approx(0.3));
  CHECK_FALSE(outlier_rate({}));
  CHECK_FALSE(outlier_rate(std::vector<LaunchOutliers>{{0, 0}}));
  CHECK_THROWS_AS(outlier_rate(std::vector<LaunchOutliers>{{2, 1}}), InputError);
}

TEST_CASE("congestion is how many times longer victims take") {
  const std::vector<double> idle{1, 1.1, 0.9, 1.05, 0.95};
  std::vector<double> loaded;
  for (const double time : idle) loaded.push_back(2.5 * time);
  const auto factor = congestion_factor(loaded, idle);
  REQUIRE(factor);
  CHECK(factor->value == Approx(2.5).epsilon(0.02));
  REQUIRE(factor->interval);
  CHECK(factor->interval->low < 2.5);
  CHECK(factor->interval->low > 2);
  CHECK(factor->interval->high > 2.5);
  CHECK_FALSE(congestion_factor(loaded, {}));
  CHECK_FALSE(congestion_factor({}, idle));
  CHECK_FALSE(congestion_factor(std::vector<double>{2}, std::vector<double>{1})->interval);
  CHECK_THROWS_AS(congestion_factor(std::vector<double>{-2}, idle), InputError);
}

}  // namespace hockney::health
