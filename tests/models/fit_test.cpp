#include "models/fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/quantities.hpp"
#include "tests/models/curve_fixture.hpp"
#include "tests/support/coverage.hpp"

namespace hockney::models {
namespace {

/// Six launches of one line, each with its own factor.
Curve scaled_launches(const std::vector<double>& factors) {
  Curve curve = exact_curve(powers_of_two(10), factors.size(), line);
  for (std::size_t launch = 0; launch < factors.size(); ++launch) {
    for (auto& cell : curve.medians_seconds[launch]) *cell *= factors[launch];
  }
  return curve;
}

}  // namespace

TEST_CASE("noise-free truths are recovered to nine digits, with no segment too many") {
  for (const Scenario& scenario : coverage_scenarios()) {
    const auto& truth = scenario.campaign.truth;
    const auto records = synthetic_records(without_noise(scenario.campaign), 1);
    const Fit fit = fitted(collect_curves(records).curves.front());
    CAPTURE(scenario.name);
    REQUIRE(fit.segments.size() == truth.size());
    for (std::size_t k = 0; k < truth.size(); ++k) {
      const Line& found = fit.segments[k].line;
      CHECK(found.alpha_seconds == Approx(truth[k].alpha_seconds).epsilon(1e-9));
      CHECK(found.beta_seconds_per_byte == Approx(truth[k].beta_seconds_per_byte).epsilon(1e-9));
    }
    CHECK(fit.errors.maximum < 1e-9);
    CHECK(fit.errors.held_out.value() < 1e-9);
    CHECK(fit.noise_floor == 1e-3);
  }
}

TEST_CASE("segments end at measured sizes and the breakpoint lies between them") {
  const auto jump = [](double n) { return n <= 4040 ? line(n) : 3 * line(n); };
  const Fit fit = fitted(exact_curve(powers_of_two(20), 6, jump));
  REQUIRE(fit.segments.size() == 2);
  CHECK(fit.model() == "piecewise-hockney");
  CHECK(fit.segments[0].from == Bytes{1});
  CHECK(fit.segments[0].to == Bytes{2048});
  CHECK(fit.segments[1].from == Bytes{4096});
  CHECK(fit.segments[1].to == Bytes{524288});
  REQUIRE(fit.breakpoints.size() == 1);
  CHECK(fit.breakpoints[0].after == Bytes{2048});
  CHECK(fit.breakpoints[0].before == Bytes{4096});
  CHECK(fit.breakpoints[0].recurrence == 1.0);
}

TEST_CASE("intervals are the order statistics of the launches' own fits") {
  const Fit fit = fitted(scaled_launches({1.1, 0.9, 1.0, 1.2, 0.8, 1.3, 0.7, 1.02, 0.98, 1.4}));
  CHECK(fit.model() == "hockney");
  CHECK(fit.launches == 10);
  const Segment& segment = fit.segments.front();
  REQUIRE(segment.alpha_seconds);
  CHECK(segment.alpha_seconds->low == Approx(0.8e-6));   // second of ten
  CHECK(segment.alpha_seconds->high == Approx(1.3e-6));  // ninth of ten
  CHECK(segment.alpha_seconds->level == Approx(0.978515625));
  CHECK(segment.beta_seconds_per_byte->low == Approx(0.8e-10));
  CHECK(segment.beta_seconds_per_byte->high == Approx(1.3e-10));
  CHECK(segment.line.alpha_seconds == Approx(1.01e-6));  // mean of 1.00 and 1.02
}

TEST_CASE("five launches are one too few for an interval") {
  const Fit five = fitted(scaled_launches({1, 1, 1, 1, 1}));
  CHECK(five.segments.front().alpha_seconds == std::nullopt);
  CHECK(five.segments.front().beta_seconds_per_byte == std::nullopt);
  CHECK(fitted(scaled_launches({1, 1, 1, 1, 1, 1})).segments.front().alpha_seconds.has_value());
}

TEST_CASE("errors by hand") {
  // One outlying size of five equal ones in a single launch.
  const Fit fit = fitted(make_curve({1, 2, 3, 4}, {{2.0, 2.0, 2.0, 2.0}}));
  CHECK(fit.errors.mape == Approx(0).margin(1e-15));
  CHECK(fit.errors.held_out_launch == std::nullopt);

  // Launches at 1 and 3 of a pooled 2: each is predicted by the other, off by 2/1 and 2/3.
  const Fit two = fitted(make_curve({1, 2, 3}, {{1.0, 1.0, 1.0}, {3.0, 3.0, 3.0}}));
  CHECK(two.segments.front().line.alpha_seconds == Approx(2.0));
  CHECK(two.errors.mape == Approx(0).margin(1e-15));
  CHECK(two.errors.held_out_launch.value() == Approx((2.0 + 2.0 / 3) / 2));
}

TEST_CASE("a held-out size is predicted by the others") {
  // Times 1, 1, 1 and 2 at 1, 2, 3, 4. Without the last: flat at 1, off by 1/2. Without the others
  // the error is that of the remaining line, from fit_line itself.
  const std::vector<double> times{1, 1, 1, 2};
  double expected = 0;
  for (std::size_t held = 0; held < 4; ++held) {
    std::vector<TimedSize> others;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i != held) others.push_back({static_cast<double>(i + 1), times[i], times[i]});
    }
    const double predicted = fit_line(others)->at(static_cast<double>(held + 1));
    if (held == 3) CHECK(predicted == Approx(1));
    expected += std::abs(predicted - times[held]) / times[held] / 4;
  }
  const Fit fit = fitted(make_curve({1, 2, 3, 4}, {{1.0, 1.0, 1.0, 2.0}}));
  CHECK(fit.errors.held_out.value() == Approx(expected));
  CHECK(fit.errors.held_out.value() > fit.errors.mape);
}

}  // namespace hockney::models
