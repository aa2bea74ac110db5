#include <catch2/catch.hpp>
#include <numeric>

#include "core/record.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney {
namespace {

/// Independent samples in visits of ten.
Series independent(std::size_t samples, Noise& noise) {
  Series series;
  for (std::size_t i = 0; i < samples; ++i) series.samples_seconds.push_back(noise.uniform());
  series.blocks.assign(samples / 10, 10);
  return series;
}

}  // namespace

TEST_CASE("a tail needs the independent samples that bound it") {
  Noise noise(3);
  Series few = independent(20, noise);
  CHECK_FALSE(summarise(few).tails.p90_seconds);
  const TailQuantiles some = summarise(independent(200, noise)).tails;
  REQUIRE(some.p90_seconds);
  CHECK(*some.p90_seconds == Approx(0.9).margin(0.06));
  CHECK_FALSE(some.p99_seconds);
  const TailQuantiles many = summarise(independent(1000, noise)).tails;
  REQUIRE(many.p99_seconds);
  CHECK(*many.p99_seconds == Approx(0.99).margin(0.01));
  CHECK_FALSE(many.p999_seconds);
  CHECK(summarise(independent(5000, noise)).tails.p999_seconds);
}

TEST_CASE("samples that go together are fewer than they look") {
  Noise noise(4);
  Series series;
  series.samples_seconds = noise.autoregressive(1000, 0.95);
  series.blocks = {1000};
  const Summary summary = summarise(series);
  CHECK(*summary.effective_samples < 299);
  CHECK_FALSE(summary.tails.p99_seconds);
}

TEST_CASE("the numbers of samples that bound tails") {
  CHECK(samples_for_upper_bound(0.9) == 29);
  CHECK(samples_for_upper_bound(0.95) == 59);
  CHECK(samples_for_upper_bound(0.99) == 299);
  CHECK(samples_for_upper_bound(0.999) == 2995);
}

TEST_CASE("detours lie beyond the third quartile and three interquartile ranges") {
  // Quartiles of 0 .. 8 and 100: 2.25 and 6.75; limit 6.75 + 3 x 4.5.
  Series series{.samples_seconds = {0, 1, 2, 3, 4, 100, 5, 6, 7, 8},
                .blocks = {5, 5},
                .starts_seconds = {0.5, 0.75}};
  const Summary summary = summarise(series);
  REQUIRE(summary.outliers);
  CHECK(summary.outliers->limit_seconds == Approx(20.25));
  CHECK(summary.outliers->count == 1);
  CHECK(summary.outliers->at_seconds == std::vector<double>{0.75});
  CHECK(summary.median_seconds == 4.5);  // which counts the outlier
}

TEST_CASE("without the times of visits, detours are counted all the same") {
  const Summary summary =
      summarise(Series{.samples_seconds = {1, 1, 1, 1, 1, 1, 9}, .blocks = {7}});
  REQUIRE(summary.outliers);
  CHECK(summary.outliers->count == 1);
  CHECK(summary.outliers->at_seconds.empty());
}

TEST_CASE("a step of the clock is no detour where there is no spread") {
  Series series{.samples_seconds = std::vector<double>(20, 1.0), .blocks = {20}};
  series.samples_seconds[3] = 1.05;
  series.samples_seconds[7] = 1.2;
  CHECK(summarise(series).outliers->count == 1);
}

TEST_CASE("three samples have no quartiles to speak of") {
  CHECK_FALSE(summarise(Series{.samples_seconds = {1, 2, 3}, .blocks = {3}}).outliers);
}

TEST_CASE("warm-up visits do not count, but they stay") {
  Series series{.samples_seconds = {9, 9, 1, 2, 3}, .blocks = {2, 3}, .warm_up_blocks = 1};
  const Summary summary = summarise(series);
  CHECK(summary.median_seconds == 2);
  CHECK(summary.maximum_seconds == 9);
}

TEST_CASE("the standard error of a median is that of its rank") {
  // The standard error of the median of 400 uniform samples: 1/(2 sqrt(400)).
  Noise noise(8);
  double sum = 0;
  for (int series = 0; series < 200; ++series) {
    std::vector<double> samples(400);
    for (double& sample : samples) sample = noise.uniform();
    sum += *median_error(samples);
  }
  CHECK(sum / 200 == Approx(0.025).epsilon(0.1));
  CHECK_FALSE(median_error(std::vector<double>{1, 2, 3}));
  CHECK(*median_error(std::vector<double>(50, 1.0)) == 0);
}

TEST_CASE("1.96 standard errors hold the true median 95 times of 100, with autocorrelation too") {
  Noise noise(9);
  constexpr int series = 1000;
  int held = 0;
  for (int i = 0; i < series; ++i) {
    const std::vector<double> samples = noise.autoregressive(500, 0.5);
    if (std::abs(*median(samples)) <= 1.96 * *median_error(samples)) ++held;
  }
  CAPTURE(held);
  CHECK(held >= 0.92 * series);
  CHECK(held <= 0.98 * series);
}

}  // namespace hockney
