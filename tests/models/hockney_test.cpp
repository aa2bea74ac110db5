#include "models/hockney.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace hockney::models {
namespace {

std::vector<TimedSize> points(const std::vector<double>& sizes, const std::vector<double>& times) {
  std::vector<TimedSize> made;
  for (std::size_t i = 0; i < sizes.size(); ++i) made.push_back({sizes[i], times[i], times[i]});
  return made;
}

double cost_of(const Line& line, const std::vector<TimedSize>& observed) {
  double sum = 0;
  for (const TimedSize& point : observed) {
    sum += std::pow((line.at(point.bytes) - point.seconds) / point.scale_seconds, 2);
  }
  return sum;
}

}  // namespace

TEST_CASE("a line through exact points is found") {
  const std::vector<double> sizes{0, 1, 1024, 65536, 4194304};
  std::vector<double> times;
  for (const double n : sizes) times.push_back(1e-6 + 1e-10 * n);
  const Line line = fit_line(points(sizes, times)).value();
  CHECK(line.alpha_seconds == Approx(1e-6).epsilon(1e-12));
  CHECK(line.beta_seconds_per_byte == Approx(1e-10).epsilon(1e-12));
  CHECK(line.at(10000) == Approx(2e-6).epsilon(1e-12));
}

TEST_CASE("the fit minimises relative, not absolute, error") {
  // Weights 1/t^2 of times 1, 2, 4 at 0, 1, 2: sums w = 1.3125, wn = 0.375, wnn = 0.5, wt = 1.75,
  // wnt = 1, determinant 0.515625; alpha = (0.5*1.75 - 0.375*1)/D, beta = (1.3125 - 0.65625)/D.
  const Line line = fit_line(points({0, 1, 2}, {1, 2, 4})).value();
  CHECK(line.alpha_seconds == Approx(0.5 / 0.515625).epsilon(1e-14));
  CHECK(line.beta_seconds_per_byte == Approx(0.65625 / 0.515625).epsilon(1e-14));
}

TEST_CASE("falling times give a flat line and never a negative slope") {
  const Line line = fit_line(points({1, 2, 3}, {3, 2, 1})).value();
  CHECK(line.beta_seconds_per_byte == 0);
  // Weighted mean: (1/3 + 1/2 + 1) / (1/9 + 1/4 + 1).
  CHECK(line.alpha_seconds == Approx((11.0 / 6) / (49.0 / 36)).epsilon(1e-14));
}

TEST_CASE("times that grow faster than the size give no startup time") {
  const Line line = fit_line(points({1, 2, 4}, {1, 4, 16})).value();
  CHECK(line.alpha_seconds == 0);
  // Rate (sum n/t)/(sum n^2/t^2) = (1 + 1/2 + 1/4) / (1 + 1/4 + 1/16).
  CHECK(line.beta_seconds_per_byte == Approx(1.75 / 1.3125).epsilon(1e-14));
}

TEST_CASE("a line needs two distinct sizes") {
  CHECK(fit_line({}) == std::nullopt);
  CHECK(fit_line(points({8}, {1})) == std::nullopt);
  CHECK(fit_line(points({8, 8, 8}, {1, 2, 3})) == std::nullopt);
  CHECK(fit_line(points({0, 8}, {1, 2})) == Line{1, 0.125});
}

TEST_CASE("costs of ranges are those of the fitted lines") {
  const auto observed = points({0, 1, 2, 3, 5, 8, 13}, {1, 1.5, 1.4, 3, 2, 1, 9});
  const LineCosts costs(observed);
  REQUIRE(costs.size() == 7);
  for (std::size_t first = 0; first < 6; ++first) {
    for (std::size_t last = first + 2; last <= 7; ++last) {
      const std::vector<TimedSize> range(observed.begin() + static_cast<std::ptrdiff_t>(first),
                                         observed.begin() + static_cast<std::ptrdiff_t>(last));
      const double expected = cost_of(fit_line(range).value(), range);
      CAPTURE(first, last);
      CHECK(static_cast<double>(costs.cost(first, last)) == Approx(expected).margin(1e-12));
    }
  }
}

TEST_CASE("costs of exact lines stay far below any noise floor") {
  std::vector<double> sizes;
  std::vector<double> times;
  for (int i = 0; i <= 26; ++i) {
    sizes.push_back(std::exp2(i));
    times.push_back(i < 13 ? 2e-7 + 1e-10 * sizes.back() : 1e-3 + 5e-11 * sizes.back());
  }
  const LineCosts costs(points(sizes, times));
  CHECK(static_cast<double>(costs.cost(0, 13)) < 1e-12);
  CHECK(static_cast<double>(costs.cost(13, 27)) < 1e-12);
  CHECK(static_cast<double>(costs.cost(12, 27)) > 0.1);
}

}  // namespace hockney::models
