#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/statistics.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney {
namespace {

/// Integrated autocorrelation time of the ranks of a Gaussian AR(1) series: the rank correlation of
/// a bivariate normal with correlation r is 6/pi asin(r/2) (Pearson 1907).
double rank_tau(double correlation) {
  double tau = 1;
  for (double r = correlation; r > 1e-12; r *= correlation) {
    tau += 2 * 6 / std::numbers::pi * std::asin(r / 2);
  }
  return tau;
}

}  // namespace

TEST_CASE("effective sample size of an AR(1) series follows its correlation time") {
  const double correlation = GENERATE(0.0, 0.5, 0.8, 0.95);
  constexpr std::size_t n = 20000;
  hockney::Noise noise(11);
  std::vector<double> estimates;
  for (int repetition = 0; repetition < 9; ++repetition) {
    estimates.push_back(static_cast<double>(n) /
                        *effective_sample_size(noise.autoregressive(n, correlation)));
  }
  CAPTURE(correlation);
  CHECK(*hockney::median(estimates) == Approx(rank_tau(correlation)).epsilon(0.1));
}

TEST_CASE("effective sample size of a long series with long correlations takes bounded time") {
  // Lag by lag, these would be 10^10 products.
  constexpr std::size_t n = 300'000;
  constexpr double correlation = 0.995;
  hockney::Noise noise(12);
  std::vector<double> estimates;
  for (int repetition = 0; repetition < 3; ++repetition) {
    estimates.push_back(static_cast<double>(n) /
                        *effective_sample_size(noise.autoregressive(n, correlation)));
  }
  CHECK(*hockney::median(estimates) == Approx(rank_tau(correlation)).epsilon(0.15));
  std::vector<double> drift(n);
  std::iota(drift.begin(), drift.end(), 0.0);
  CHECK(*effective_sample_size(drift) < 10);
}

TEST_CASE("effective sample size of a rank series known by hand") {
  // Centred ranks -2..2 of a trend: covariances (10, 4, -1, -4, -4)/5; only lags 0 and 1 make a
  // positive pair, so tau = -1 + 2 (1 + 0.4).
  CHECK(*effective_sample_size(std::vector<double>{1, 2, 30, 400, 5000}) == Approx(5 / 1.8));
}

TEST_CASE("effective sample size at its limits") {
  CHECK(effective_sample_size({}) == std::nullopt);
  CHECK(effective_sample_size(std::vector<double>{1, 2, 3}) == std::nullopt);
  CHECK(effective_sample_size(std::vector<double>(50, 2.0)) == 50.0);
  std::vector<double> alternating;
  for (int i = 0; i < 100; ++i) alternating.push_back(i % 2);
  CHECK(effective_sample_size(alternating) == 100.0);
}

TEST_CASE("a long drift is worth few samples") {
  std::vector<double> drift(1000);
  std::iota(drift.begin(), drift.end(), 0.0);
  CHECK(*effective_sample_size(drift) < 10);
  CHECK(*effective_sample_size(drift) >= 1);
}

}  // namespace hockney
