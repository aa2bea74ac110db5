#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "components/health/detection/detector.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::health {

TEST_CASE("a baseline is the median and MAD of its last nights") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(3, 0.5);
  for (const std::size_t window : {5U, 6U, 17U}) {
    Baseline baseline({.shortest = 2, .window = window, .least_noise = 1e-6});
    std::vector<double> all;
    for (int night = 0; night < 60; ++night) {
      all.push_back(night % 7 == 0 ? 3.0 : normal(random));  // ties too
      baseline.add(all.back());
      const auto n = std::min(all.size(), window);
      const std::span<const double> last = std::span<const double>(all).last(n);
      CHECK(baseline.nights() == n);
      if (n < 2) continue;
      const auto count = static_cast<double>(n);
      CHECK(baseline.median() == Approx(*median(last)));
      CHECK(baseline.noise() ==
            Approx(1.482602218505602 * *median_absolute_deviation(last) * count / (count - 0.8))
                .margin(1e-6));
    }
  }
}

TEST_CASE("a baseline speaks from its shortest length on and never of less noise than its floor") {
  Baseline baseline({.shortest = 3, .window = 10, .least_noise = 0.01});
  baseline.add(1);
  baseline.add(1);
  CHECK_FALSE(baseline.ready());
  baseline.add(1);
  CHECK(baseline.ready());
  CHECK(baseline.median() == 1);
  CHECK(baseline.noise() == 0.01);
  CHECK(baseline.autocorrelation() == 0);
  baseline.clear();
  CHECK(baseline.nights() == 0);
  CHECK_FALSE(baseline.ready());
}

TEST_CASE("a baseline that cannot work is refused") {
  CHECK_THROWS_AS(Baseline({.shortest = 1}), InputError);
  CHECK_THROWS_AS(Baseline({.shortest = 14, .window = 13}), InputError);
  CHECK_THROWS_AS(Baseline({.least_noise = 0}), InputError);
}

TEST_CASE("autocorrelation is that of the series") {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (const double rho : {0.0, 0.5, 0.8}) {
    std::vector<double> values(4000);
    double state = normal(random);
    for (double& value : values) {
      state = rho * state + std::sqrt(1 - rho * rho) * normal(random);
      value = 10 + 2 * state;
    }
    CHECK(lag_one_autocorrelation(values, 10, 2) == Approx(rho).margin(0.06));
  }
  CHECK(lag_one_autocorrelation({}, 0, 1) == 0);
  const std::vector<double> alternating{1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
  CHECK(lag_one_autocorrelation(alternating, 0, 1) == 0);  // never below
}

TEST_CASE("a spike does not make a series correlated") {
  std::vector<double> values{0.5, -0.5, -0.5, 0.5, 0.5, -0.5, -0.5, 0.5};
  const double without = lag_one_autocorrelation(values, 0, 1);
  values[3] = 1000;  // counts as 3
  CHECK(lag_one_autocorrelation(values, 0, 1) < without + 0.2);
}

TEST_CASE("blocks are as long as dependence asks for") {
  CHECK(block_length(0, 300) == 1);
  // (sqrt(6) 0.5 / 0.75)^(2/3) 300^(1/3) = 1.3867 * 6.6943 = 9.28
  CHECK(block_length(0.5, 300) == 9);
  CHECK(block_length(0.9, 30) == 10);  // a third of the series at most
  CHECK(block_length(0.9, 1) == 1);
}

TEST_CASE("resampling keeps runs of the series together") {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  std::vector<double> out(35, -1);
  std::mt19937_64 random(3);
  resample_blocks(values, 10, random, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    CHECK(out[i] >= 0);
    if (i % 10 != 0) CHECK(out[i] == out[i - 1] + 1);
  }
  resample_blocks(std::vector<double>{7}, 10, random, out);
  CHECK(out == std::vector<double>(35, 7));
}

namespace {

/// Nights about `level` that differ by +-1 %, without dependence, in a fixed order.
double quiet(std::size_t night, double level = 1) {
  constexpr double pattern[] = {1, -1, -1, 1, 0, 1, 0, -1, -1, 0, 1};
  return std::log(level) + 0.01 * pattern[night % std::size(pattern)];
}

/// Observes `nights` nights at a level; the first on which the level is `wanted`, 1 = the first.
std::optional<int> nights_until(Detector& detector, Level wanted, double level, int nights) {
  std::optional<int> found;
  for (int night = 0; night < nights; ++night) {
    const auto finding =
        detector.observe({.log_value = quiet(static_cast<std::size_t>(night), level)});
    if (finding.level == wanted && !found) found = night + 1;
  }
  return found;
}

Detector after_a_month(Level worse = Level::higher) {
  Detector detector({}, worse);
  CHECK_FALSE(nights_until(detector, Level::higher, 1, 44));
  CHECK(detector.level() == Level::usual);
  return detector;
}

}  // namespace

TEST_CASE("nothing is said before there is a baseline") {
  Detector detector({.baseline = {.shortest = 14}});
  for (std::size_t night = 0; night < 14; ++night) {
    const NightFinding finding = detector.observe({.log_value = quiet(night, 1.0)});
    CHECK(finding.level == Level::unknown);
    CHECK_FALSE(finding.score);
  }
  const NightFinding finding = detector.observe({.log_value = 0.05});
  CHECK(finding.level == Level::usual);
  CHECK_FALSE(finding.changed);
  CHECK(*finding.score > 3);
}

TEST_CASE("a level that rises or falls by 5 % is found within a week") {
  Detector rising = after_a_month();
  CHECK(nights_until(rising, Level::higher, 1.05, 14).value_or(99) <= 7);
  Detector falling = after_a_month();
  CHECK(nights_until(falling, Level::lower, 1 / 1.05, 14).value_or(99) <= 7);
}

TEST_CASE("a change below the practical floor is nobody's business") {
  Detector detector = after_a_month();
  CHECK_FALSE(nights_until(detector, Level::higher, 1.015, 200));
}

TEST_CASE("spikes are no level, however high") {
  Detector detector = after_a_month();
  for (std::size_t night = 0; night < 300; ++night) {
    const double spike = night % 20 < 2 ? std::log(3.0) : 0;  // two nights in a row
    const NightFinding finding = detector.observe({.log_value = quiet(night) + spike});
    CHECK(finding.level == Level::usual);
  }
}

TEST_CASE("what is worse stays, until it is mended") {
  Detector detector = after_a_month();
  CHECK(nights_until(detector, Level::higher, 1.2, 200).value_or(99) <= 4);
  CHECK(detector.level() == Level::higher);
  CHECK(detector.baseline().median() == Approx(0).margin(0.011));
  CHECK(nights_until(detector, Level::usual, 1, 10).value_or(99) == 4);  // most of the last 7
}

TEST_CASE("what is better becomes the baseline after a month") {
  Detector detector = after_a_month();
  CHECK(nights_until(detector, Level::lower, 0.8, 20).value_or(99) <= 4);
  CHECK(detector.level() == Level::lower);
  int adopted = 0;
  for (std::size_t night = 0; night < 40; ++night) {
    const NightFinding finding = detector.observe({.log_value = quiet(night, 0.8)});
    adopted += finding.adopted;
    if (finding.adopted) CHECK(finding.changed);
  }
  CHECK(adopted == 1);
  CHECK(detector.level() == Level::usual);
  CHECK(detector.baseline().median() == Approx(std::log(0.8)).margin(0.011));
  CHECK(nights_until(detector, Level::higher, 1, 14).value_or(99) <= 7);  // the old level is worse
}

TEST_CASE("where lower is worse, a rise is adopted and a fall stays") {
  Detector detector = after_a_month(Level::lower);
  CHECK(nights_until(detector, Level::lower, 0.8, 100));
  CHECK(detector.level() == Level::lower);
  Detector better = after_a_month(Level::lower);
  CHECK(nights_until(better, Level::higher, 1.2, 100));
  CHECK(better.level() == Level::usual);
}

TEST_CASE("after a restart the new level is the baseline") {
  Detector detector = after_a_month();
  nights_until(detector, Level::higher, 1.3, 10);
  detector.restart();
  CHECK(detector.level() == Level::unknown);
  CHECK_FALSE(nights_until(detector, Level::higher, 1.3, 100));
  CHECK(detector.level() == Level::usual);
}

TEST_CASE("a night that is unsure of itself weighs less") {
  Detector sure = after_a_month();
  Detector unsure = after_a_month();
  const auto clear = sure.observe({.log_value = 0.05, .error = 0});
  const auto vague = unsure.observe({.log_value = 0.05, .error = 0.1});
  CHECK(*clear.score > 3);
  CHECK(*vague.score == Approx(0.5).margin(0.11));
}

TEST_CASE("a detector that cannot work is refused") {
  CHECK_THROWS_AS(Detector({.clip = 0}), InputError);
  CHECK_THROWS_AS(Detector({.allowance = -1}), InputError);
  CHECK_THROWS_AS(Detector({.threshold = 0}), InputError);
  CHECK_THROWS_AS(Detector({.practical = 0}), InputError);
  CHECK_THROWS_AS(Detector({.recent = 0}), InputError);
  CHECK_THROWS_AS(Detector({.adopt = 0}), InputError);
  Detector detector({});
  CHECK_THROWS_AS(detector.observe({.log_value = std::log(0.0)}), InputError);
}

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
