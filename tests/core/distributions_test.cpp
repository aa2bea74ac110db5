#include "core/distributions.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

namespace hockney {

// Values of printed tables, to the digits that they have, or of the closed form.

TEST_CASE("the normal distribution has the values of its table") {
  CHECK(normal_cdf(0) == 0.5);
  CHECK(normal_cdf(1.96) == Approx(0.9750).epsilon(1e-4));
  CHECK(normal_cdf(-1) == Approx(0.1587).epsilon(1e-3));
}

TEST_CASE("Student's t has the quantiles of its table") {
  CHECK(student_quantile(1, 0.975) == Approx(12.706).epsilon(1e-4));
  CHECK(student_quantile(10, 0.95) == Approx(1.812).epsilon(1e-3));
  CHECK(student_quantile(10, 0.05) == Approx(-1.812).epsilon(1e-3));
  CHECK(student_upper_quantile(4, 0.05) == Approx(2.132).epsilon(1e-3));
}

TEST_CASE("Student's t with one degree of freedom is Cauchy's distribution") {
  CHECK(student_above(1, 1) == Approx(0.25));
  CHECK(student_quantile(1, 0.75) == Approx(1));
  CHECK(student_upper_quantile(1, 1e-12) == Approx(1 / (std::acos(-1.0) * 1e-12)));
}

TEST_CASE("chi-squared has the quantiles of its table") {
  CHECK(chi_squared_quantile(2, 0.95) == Approx(-2 * std::log(0.05)));
  CHECK(chi_squared_quantile(1, 0.95) == Approx(3.841).epsilon(1e-3));
  CHECK(chi_squared_quantile(10, 0.025) == Approx(3.247).epsilon(1e-3));
}

TEST_CASE("four tosses of a coin succeed with 1, 4, 6, 4 and 1 sixteenths") {
  CHECK(binomial_cdf(4, 0.5, 1) == Approx(5.0 / 16));
  CHECK(binomial_above(4, 0.5, 1) == Approx(11.0 / 16));
  CHECK(binomial_above(4, 0.5, 4) == 0);
  CHECK(binomial_quantile(4, 0.5, 0.05) == 0);
  CHECK(binomial_quantile(4, 0.5, 0.95) == 4);
}

TEST_CASE("the bounds of a chance enclose it as Clopper and Pearson say") {
  CHECK(binomial_lower_chance(10, 0, 0.025) == 0);
  CHECK(binomial_upper_chance(10, 10, 0.025) == 1);
  // No success in ten: (1 - p)^10 = 0.025.
  CHECK(binomial_upper_chance(10, 0, 0.025) == Approx(1 - std::pow(0.025, 0.1)));
  CHECK(binomial_lower_chance(10, 10, 0.025) == Approx(std::pow(0.025, 0.1)));
}

TEST_CASE("arguments outside the range of a distribution are errors") {
  CHECK_THROWS_AS(student_quantile(0, 0.5), std::domain_error);
  CHECK_THROWS_AS(student_quantile(1, 1.5), std::domain_error);
  CHECK_THROWS_AS(student_quantile(1, 1), std::overflow_error);
  CHECK_THROWS_AS(binomial_cdf(4, 0.5, 5), std::domain_error);
  CHECK_THROWS_AS(chi_squared_quantile(-1, 0.5), std::domain_error);
}

}  // namespace hockney
