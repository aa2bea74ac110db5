#include "health/detection/baseline.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "core/statistics.hpp"

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

}  // namespace hockney::health
