#include <catch2/catch.hpp>

#include "models/fit_set.hpp"
#include "tests/models/curve_fixture.hpp"

namespace hockney::models {
namespace {

bool warns(const Fit& fit, FitWarning wanted) {
  for (const FitWarning warning : warnings(fit)) {
    if (warning == wanted) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("two sizes are a failure that says which") {
  const auto outcome = fit_curve(exact_curve({8, 1024}, 10, line));
  const auto* failure = std::get_if<FitFailure>(&outcome);
  REQUIRE(failure != nullptr);
  CHECK(failure->sizes == std::vector<Bytes>{{8}, {1024}});
  CHECK(failure->launches == 10);
  CHECK(failure->point.operation == "pingpong");
  CHECK(std::holds_alternative<FitFailure>(fit_curve(Curve{})));
  CHECK(std::holds_alternative<Fit>(fit_curve(exact_curve({0, 8, 1024}, 1, line))));
}

TEST_CASE("failures and fits of a set are kept apart") {
  const Curves curves{.curves = {exact_curve({8, 16}, 1, line), exact_curve({1, 2, 3}, 1, line)},
                      .records_left_out = 2};
  const FitSet set = fit_curves(curves);
  CHECK(set.fits.size() == 1);
  CHECK(set.failures.size() == 1);
  CHECK(set.records_left_out == 2);
}

TEST_CASE("equal times at every size are one flat segment") {
  const Fit fit = fitted(exact_curve(powers_of_two(23), 10, [](double) { return 3e-6; }));
  REQUIRE(fit.segments.size() == 1);
  CHECK(fit.segments.front().line.alpha_seconds == Approx(3e-6));
  CHECK(fit.segments.front().line.beta_seconds_per_byte == Approx(0).margin(1e-20));
}

TEST_CASE("falling times never give a negative slope") {
  const Fit fit = fitted(exact_curve(powers_of_two(10), 10, [](double n) { return 1 / (1 + n); }));
  for (const Segment& segment : fit.segments) {
    CHECK(segment.line.beta_seconds_per_byte == 0);
    CHECK(segment.line.alpha_seconds > 0);
    CHECK(segment.beta_seconds_per_byte->low == 0);
  }
}

TEST_CASE("a single launch is fitted, without intervals and unconfirmed") {
  const auto jump = [](double n) { return n < 5000 ? line(n) : 3 * line(n); };
  const Fit fit = fitted(exact_curve(powers_of_two(23), 1, jump));
  CHECK(fit.segments.size() == 2);
  CHECK(fit.segments.front().alpha_seconds == std::nullopt);
  CHECK(warns(fit, FitWarning::few_launches));
  CHECK(warns(fit, FitWarning::unconfirmed_breakpoints));
}

TEST_CASE("missing cells are counted and do not bend the line") {
  Curve curve = exact_curve(powers_of_two(16), 10, line);
  for (std::size_t launch = 0; launch < 10; ++launch) {
    curve.medians_seconds[launch][launch] = std::nullopt;
    curve.medians_seconds[launch][launch + 3] = std::nullopt;
  }
  const Fit fit = fitted(curve);
  CHECK(fit.missing_cells == 20);
  CHECK(warns(fit, FitWarning::missing_cells));
  REQUIRE(fit.segments.size() == 1);
  CHECK(fit.segments.front().line.alpha_seconds == Approx(1e-6).epsilon(1e-9));
  REQUIRE(fit.segments.front().alpha_seconds);
  CHECK(fit.segments.front().alpha_seconds->level == Approx(0.978515625));
}

TEST_CASE("a launch with less than half of a segment's sizes gives it no refit") {
  Curve curve = exact_curve(powers_of_two(10), 6, line);
  for (std::size_t place = 4; place < 10; ++place) curve.medians_seconds[0][place] = std::nullopt;
  CHECK(fitted(curve).segments.front().alpha_seconds == std::nullopt);
  curve.medians_seconds[0][4] = line(16);
  CHECK(fitted(curve).segments.front().alpha_seconds.has_value());
}

TEST_CASE("a size that only one launch has survives holding that launch out") {
  Curve curve = exact_curve(powers_of_two(8), 6, line);
  for (std::size_t launch = 1; launch < 6; ++launch)
    curve.medians_seconds[launch][7] = std::nullopt;
  const Fit fit = fitted(curve);
  CHECK(fit.segments.front().to == Bytes{128});
  CHECK(fit.errors.held_out_launch.value() < 1e-9);
}

TEST_CASE("launches that share no size are still pooled") {
  const Fit fit = fitted(make_curve({1, 2, 4, 8}, {{1.0, {}, 1.0, {}}, {{}, 1.0, {}, 1.0}}));
  CHECK(fit.segments.front().line.alpha_seconds == Approx(1.0));
}

TEST_CASE("times of fourteen orders of magnitude keep their digits") {
  const auto wide = [](double n) { return 1e-9 + 1e-3 * n; };
  const Fit fit = fitted(exact_curve(powers_of_two(40), 6, wide));
  REQUIRE(fit.segments.size() == 1);
  CHECK(fit.segments.front().line.beta_seconds_per_byte == Approx(1e-3).epsilon(1e-9));
}

}  // namespace hockney::models
