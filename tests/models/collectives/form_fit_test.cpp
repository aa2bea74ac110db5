#include <catch2/catch.hpp>

#include "models/collectives/form_fit.hpp"

namespace hockney::collectives {

TEST_CASE("a consistent system is solved exactly") {
  // x = (3, 0.5)
  const auto fit = fit_non_negative({{{1, 2}, 4, 1}, {{1, 4}, 5, 1}, {{2, 2}, 7, 10}});
  REQUIRE(fit);
  CHECK(fit->solution[0] == Approx(3));
  CHECK(fit->solution[1] == Approx(0.5));
  CHECK(fit->cost == Approx(0).margin(1e-12));
  CHECK(fit->inseparable.empty());
}

TEST_CASE("no parameter becomes negative") {
  // The unconstrained line through (0, 2), (1, 1), (2, 0) falls; the best that does not is flat.
  const auto fit = fit_non_negative({{{1, 0}, 2, 1}, {{1, 1}, 1, 1}, {{1, 2}, 0, 1}});
  REQUIRE(fit);
  CHECK(fit->solution[0] == Approx(1));
  CHECK(fit->solution[1] == 0);
  CHECK(fit->cost == Approx(2));
}

TEST_CASE("columns that cannot be told apart are said to be so") {
  const auto fit = fit_non_negative({{{1, 2, 4}, 5, 1}, {{1, 3, 6}, 7, 1}, {{1, 5, 10}, 11, 1}});
  REQUIRE(fit);
  CHECK(fit->solution[0] == Approx(1));
  CHECK(fit->solution[1] == Approx(2));
  CHECK(fit->solution[2] == 0);
  CHECK(fit->inseparable == std::vector<std::size_t>{2});
}

TEST_CASE("residuals count in units of the scale") {
  // One unknown, two equations: the one with the small scale decides.
  const auto fit = fit_non_negative({{{1}, 1, 0.001}, {{1}, 2, 1000}});
  REQUIRE(fit);
  CHECK(fit->solution[0] == Approx(1).epsilon(1e-6));
  CHECK_FALSE(fit_non_negative({}));
}

}  // namespace hockney::collectives
