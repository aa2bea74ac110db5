#include <catch2/catch.hpp>
#include <cmath>

#include "core/samples.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney {
namespace {

/// One sample each visit.
Series series_of(std::vector<double> samples) {
  std::vector<int> blocks(samples.size(), 1);
  return {.samples_seconds = std::move(samples), .blocks = std::move(blocks)};
}

/// `epochs` visits of five samples each around 1, the first `slow` of them longer by `excess`.
Series noisy(int epochs, int slow, double excess, double spread, Noise& noise) {
  Series series;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const double level = (epoch < slow ? 1 + excess : 1) * std::exp(spread * noise.normal());
    for (int i = 0; i < 5; ++i) {
      series.samples_seconds.push_back(level * std::exp(0.02 * noise.normal()));
    }
    series.blocks.push_back(5);
  }
  return series;
}

}  // namespace

TEST_CASE("epochs above what the launch settles at are warm-up") {
  CHECK(warm_up_epochs({series_of({2, 1.5, 1, 1, 1, 1, 1, 1})}) == 2);
  CHECK(warm_up_epochs({series_of({1.02, 1, 1, 1, 1, 1, 1, 1})}) == 1);
  CHECK(warm_up_epochs({series_of({1.005, 1, 1, 1, 1, 1, 1, 1})}) == 0);
}

TEST_CASE("only the beginning can be warm-up, and only as far as the first half") {
  CHECK(warm_up_epochs({series_of({1, 2, 1, 1, 1, 1, 1, 1})}) == 0);
  CHECK(warm_up_epochs({series_of({2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1})}) == 5);
  CHECK(warm_up_epochs({series_of({2, 2, 2, 2, 1, 1, 1, 1})}) == 4);
  CHECK(warm_up_epochs({series_of({0.5, 0.5, 1, 1, 1, 1, 1, 1})}) == 0);
}

TEST_CASE("seven epochs tell nothing") {
  CHECK(warm_up_epochs({series_of({9, 1, 1, 1, 1, 1, 1})}) == 0);
  CHECK(warm_up_epochs({}) == 0);
}

TEST_CASE("the points of a launch are pooled") {
  // Two of three points are slow in the first epoch.
  const Series slow = series_of({2, 1, 1, 1, 1, 1, 1, 1});
  const Series even = series_of({1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(warm_up_epochs({slow, slow, even}) == 1);
  CHECK(warm_up_epochs({slow, even, even}) == 0);
}

TEST_CASE("a disturbed visit is not asked") {
  Series series = series_of({2, 1, 1, 1, 1, 1, 1, 1});
  series.noise_probes_seconds = {9, 5, 5, 5, 5, 5, 5, 5};
  CHECK(warm_up_epochs({series}) == 0);
}

TEST_CASE("a clock that stands still warms nothing up") {
  CHECK(warm_up_epochs({series_of({0, 0, 0, 0, 0, 0, 0, 0, 0})}) == 0);
}

TEST_CASE("planted warm-up is found, and little is taken for it that is none") {
  Noise noise(11);
  constexpr int launches = 1000;
  int false_alarms = 0;
  int found = 0;
  for (int launch = 0; launch < launches; ++launch) {
    std::vector<Series> steady;
    std::vector<Series> warming;
    for (int point = 0; point < 20; ++point) {
      steady.push_back(noisy(30, 0, 0, 0.05, noise));
      warming.push_back(noisy(30, 2, 0.2, 0.05, noise));
    }
    if (warm_up_epochs(steady) > 0) ++false_alarms;
    if (warm_up_epochs(warming) == 2) ++found;
  }
  CAPTURE(false_alarms, found);
  CHECK(false_alarms <= 0.01 * launches);
  CHECK(found >= 0.98 * launches);
}

}  // namespace hockney
