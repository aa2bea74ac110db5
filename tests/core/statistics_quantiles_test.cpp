#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

/// n, n-1, ..., 1: the value of an order statistic is its rank, and the input is not sorted.
std::vector<double> ranks(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("quantile interpolates between order statistics") {
  const std::vector<double> samples{4, 1, 3, 2};
  CHECK(quantile(samples, 0) == 1.0);
  CHECK(quantile(samples, 1) == 4.0);
  CHECK(quantile(samples, 0.5) == 2.5);
  CHECK(*quantile(samples, 0.25) == Approx(1.75));
  CHECK(median(std::vector<double>{9, 1, 5}) == 5.0);
  CHECK(median(std::vector<double>{7}) == 7.0);
}

TEST_CASE("quantile of nothing is nullopt and a bad quantile an error") {
  CHECK(quantile({}, 0.5) == std::nullopt);
  CHECK(median({}) == std::nullopt);
  CHECK(median_of_some(std::vector<double>{9, 1, 5}) == 5.0);
  CHECK_THROWS_AS(median_of_some({}), std::logic_error);
  CHECK_THROWS_AS(quantile(ranks(3), -0.1), InputError);
  CHECK_THROWS_AS(quantile(ranks(3), 1.1), InputError);
  CHECK_THROWS_AS(quantile(ranks(3), not_a_number), InputError);
}

TEST_CASE("samples that are not finite are refused") {
  CHECK_THROWS_AS(median(std::vector<double>{1, not_a_number}), InputError);
  CHECK_THROWS_AS(median(std::vector<double>{1, infinite}), InputError);
  CHECK_THROWS_AS(quantile_interval(std::vector<double>{1, 2, 3, 4, 5, not_a_number}), InputError);
}

TEST_CASE("median interval has the exact ranks and level") {
  struct Known {
    int n;
    double lower;
    double upper;
    double level;
  };
  // Levels by hand: 1 - 2 sum of C(n,k) / 2^n over the ranks left out on one side.
  const Known known = GENERATE(
      Known{6, 1, 6, 1 - 2.0 / 64}, Known{7, 1, 7, 1 - 2.0 / 128}, Known{8, 1, 8, 1 - 2.0 / 256},
      Known{9, 2, 8, 1 - 2.0 * (1 + 9) / 512}, Known{10, 2, 9, 1 - 2.0 * (1 + 10) / 1024},
      Known{20, 6, 15, 1 - 2.0 * (1 + 20 + 190 + 1140 + 4845 + 15504) / 1048576});
  CAPTURE(known.n);
  const auto interval = quantile_interval(ranks(known.n));
  REQUIRE(interval);
  CHECK(interval->low == known.lower);
  CHECK(interval->high == known.upper);
  CHECK(interval->level == Approx(known.level).epsilon(1e-12));
}

TEST_CASE("interval of ten launches covers 97.9 percent") {
  CHECK(quantile_interval(ranks(10))->level == Approx(0.978515625).epsilon(1e-12));
}

TEST_CASE("median interval needs six samples") {
  CHECK(samples_for_interval() == 6);
  CHECK(quantile_interval({}) == std::nullopt);
  CHECK(quantile_interval(ranks(1)) == std::nullopt);
  CHECK(quantile_interval(ranks(5)) == std::nullopt);
  CHECK(quantile_interval(ranks(6)).has_value());
}

TEST_CASE("a level met exactly costs no rank") {
  CHECK(samples_for_interval(0.5, 0.96875) == 6);
  CHECK(quantile_interval(ranks(6), 0.5, 0.96875).has_value());
  CHECK(quantile_interval(ranks(6), 0.5, 0.96876) == std::nullopt);
}

TEST_CASE("tail quantiles need as many samples as their far end") {
  struct Known {
    double q;
    std::size_t minimum;
  };
  const Known known = GENERATE(Known{0.9, 36}, Known{0.95, 72}, Known{0.99, 368},
                               Known{0.999, 3688}, Known{0.01, 368});
  CAPTURE(known.q);
  CHECK(samples_for_interval(known.q) == known.minimum);
  const int minimum = static_cast<int>(known.minimum);
  CHECK(quantile_interval(ranks(minimum), known.q).has_value());
  CHECK(quantile_interval(ranks(minimum - 1), known.q) == std::nullopt);
}

TEST_CASE("interval of constant samples is a point") {
  const auto interval = quantile_interval(std::vector<double>(10, 3.0));
  REQUIRE(interval);
  CHECK(interval->low == 3.0);
  CHECK(interval->high == 3.0);
}

TEST_CASE("interval refuses impossible levels and quantiles") {
  CHECK_THROWS_AS(quantile_interval(ranks(10), 0.0), InputError);
  CHECK_THROWS_AS(quantile_interval(ranks(10), 1.0), InputError);
  CHECK_THROWS_AS(quantile_interval(ranks(10), 0.5, 1.0), InputError);
  CHECK_THROWS_AS(samples_for_interval(0.5, not_a_number), InputError);
}

}  // namespace hockney
