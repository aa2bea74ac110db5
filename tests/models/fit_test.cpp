#include <catch2/catch.hpp>
#include <cmath>

#include "core/quantities.hpp"
#include "models/curves.hpp"
#include "models/fit.hpp"
#include "tests/models/curve_fixture.hpp"
#include "tests/support/coverage.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney::models {
namespace {

double eager_limit(double n) { return n <= 4096 ? 5e-7 + 2.5e-10 * n : 2e-6 + 1e-10 * n; }

Curve noisy(Curve curve, double spread, std::uint64_t seed) {
  Noise noise(seed);
  for (auto& row : curve.medians_seconds) {
    for (auto& cell : row) *cell *= std::exp(spread * noise.normal());
  }
  return curve;
}

}  // namespace

TEST_CASE("a breakpoint of every launch is accepted") {
  const Segments found =
      find_segments(noisy(exact_curve(powers_of_two(23), 10, eager_limit), 0.01, 1), 10);
  CHECK(found.starts == std::vector<std::size_t>{0, 13});
  REQUIRE(found.accepted.size() == 1);
  CHECK(found.accepted.front() == Breakpoint{13, 1.0});
  CHECK(found.rejected.empty());
  CHECK(found.confirmed_by == Confirmation::launches);
}

TEST_CASE("a breakpoint of some launches only is rejected and named") {
  // Three of ten launches jump by so much that the pooled curve would not show it; six would.
  Curve curve = exact_curve(powers_of_two(23), 10, [](double n) { return 1e-6 + 1e-10 * n; });
  for (std::size_t launch = 0; launch < 6; ++launch) {
    for (std::size_t place = 13; place < 23; ++place) *curve.medians_seconds[launch][place] *= 2;
  }
  const Segments found = find_segments(noisy(curve, 0.005, 2), 10);
  CHECK(found.starts == std::vector<std::size_t>{0});
  REQUIRE(found.rejected.size() == 1);
  CHECK(found.rejected.front().place == 13);
  CHECK(found.rejected.front().recurrence.value() < least_recurrence);
}

TEST_CASE("with one launch the criterion alone decides, and the result says so") {
  const Segments found = find_segments(exact_curve(powers_of_two(23), 1, eager_limit), 10);
  CHECK(found.starts == std::vector<std::size_t>{0, 13});
  CHECK(found.confirmed_by == Confirmation::bic);
  CHECK(found.accepted.front() == Breakpoint{13, std::nullopt});
}

TEST_CASE("a line has no breakpoint to confirm") {
  const Segments found = find_segments(
      exact_curve(powers_of_two(23), 10, [](double n) { return 1e-6 + 1e-10 * n; }), 10);
  CHECK(found.starts == std::vector<std::size_t>{0});
  CHECK(found.confirmed_by == Confirmation::none_needed);
  CHECK(found.noise_floor == least_noise_floor);
}

TEST_CASE("equal curves give equal segments") {
  const Curve curve = noisy(exact_curve(powers_of_two(23), 7, eager_limit), 0.05, 3);
  const Segments first = find_segments(curve, 10);
  const Segments second = find_segments(curve, 10);
  CHECK(first.starts == second.starts);
  CHECK(first.accepted == second.accepted);
}

TEST_CASE("no more segments than asked for") {
  const Curve curve = exact_curve(powers_of_two(23), 10, eager_limit);
  CHECK(find_segments(curve, 1).starts == std::vector<std::size_t>{0});
}

TEST_CASE("noise without breakpoints grows none") {
  const auto line = [](double n) { return 1e-6 + 1e-10 * n; };
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Curve curve = noisy(exact_curve(powers_of_two(23), 10, line), 0.05, seed);
    CHECK(find_segments(curve, 10).starts.size() == 1);
  }
}

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

namespace {

/// Launches with a factor each and independent noise in every cell.
Curve noisy_curve(std::size_t launches, double launch_spread, double cell_spread) {
  Noise noise(5);
  Curve curve = exact_curve(powers_of_two(20), launches, line);
  for (auto& row : curve.medians_seconds) {
    const double factor = std::exp(launch_spread * noise.normal());
    for (auto& cell : row) *cell *= factor * std::exp(cell_spread * noise.normal());
  }
  return curve;
}

}  // namespace

TEST_CASE("a factor of a launch is no cell noise") {
  const double spread = GENERATE(0.0, 0.03, 0.5);
  CHECK(cell_noise(noisy_curve(10, spread, 0)).value() < 1e-12);
}

TEST_CASE("cell noise is what each cell has of its own") {
  const double spread = GENERATE(0.0, 0.1);
  CHECK(cell_noise(noisy_curve(30, spread, 0.02)).value() == Approx(0.02).epsilon(0.1));
}

TEST_CASE("cell noise shrugs off a launch gone wrong") {
  Curve curve = noisy_curve(10, 0.03, 0.01);
  for (std::size_t place = 0; place < curve.sizes.size(); place += 2) {
    *curve.medians_seconds[4][place] *= 20;
  }
  CHECK(cell_noise(curve).value() < 0.02);
}

TEST_CASE("cell noise needs two launches that share neighbouring sizes") {
  CHECK(cell_noise(noisy_curve(1, 0, 0.1)) == std::nullopt);
  CHECK(cell_noise(make_curve({1, 2}, {{1.0, {}}, {1.0, 2.0}})) == std::nullopt);
  CHECK(cell_noise(make_curve({}, {})) == std::nullopt);
}

TEST_CASE("scatter of a line is zero, also across a few breakpoints") {
  const auto jumps = [](double n) { return n < 100 ? 1 + n : n < 5000 ? 90 + 3 * n : 1e5 + n; };
  const Curve curve = exact_curve(powers_of_two(20), 1, jumps);
  CHECK(size_scatter(pool(curve, all_launches(curve)).points).value() < 1e-12);
}

TEST_CASE("scatter is the noise of a single launch") {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 1000; size < 3000; size += 2) sizes.push_back(size);
  Noise noise(3);
  const Curve curve =
      exact_curve(sizes, 1, [&](double n) { return line(n) * std::exp(0.02 * noise.normal()); });
  CHECK(size_scatter(pool(curve, all_launches(curve)).points).value() == Approx(0.02).epsilon(0.1));
}

TEST_CASE("scatter needs three sizes") {
  const std::vector<TimedSize> two{{1, 1, 1}, {2, 2, 2}};
  CHECK(size_scatter(two) == std::nullopt);
  CHECK(size_scatter({}) == std::nullopt);
}

TEST_CASE("the floor shrinks with the launches and never below its least") {
  const std::vector<TimedSize> exact{{1, 1, 1}, {2, 2, 2}, {4, 4, 4}};
  CHECK(noise_floor(std::nullopt, 1, exact) == least_noise_floor);
  CHECK(noise_floor(0.02, 1, exact) == 0.02);
  CHECK(noise_floor(0.02, 2, exact) == Approx(0.02 / std::sqrt(2.0)));
  CHECK(noise_floor(0.02, 8, exact) == Approx(0.02 * std::sqrt(std::acos(-1.0) / 16)));
  CHECK(noise_floor(1e-9, 8, exact) == least_noise_floor);
}

TEST_CASE("few sizes whose lines are off by more than noise get a curve, and are named") {
  const auto bent = [](double n) { return 1e-6 * (1 + std::sqrt(n / 100)); };
  const Fit fit = fitted(exact_curve({8, 1024, 8192, 65536, 262144}, 6, bent));
  CHECK(fit.errors.mape > most_noise_floors * fit.noise_floor);
  CHECK(fit.errors.off.size() >= 3);
  CHECK(predict(fit, {8192}).seconds == Approx(bent(8192)));
  CHECK(predict_by_lines(fit, {8192}).seconds != Approx(bent(8192)));
  CHECK(fit.curve_held_out.value() < fit.errors.held_out.value());
  CHECK(fit.segments.size() == 1);
  // Fewer sizes are named alone.
  const Fit few = fitted(exact_curve({8, 1024, 8192, 65536}, 6, bent));
  CHECK_FALSE(few.errors.off.empty());
  CHECK(few.factors.bend() == Bend::none);
  // Lines that are as good as the data stay alone.
  const Fit straight = fitted(exact_curve({8, 1024, 8192, 65536, 262144}, 6, line));
  CHECK(straight.errors.off.empty());
  CHECK(straight.factors.bend() == Bend::none);
}

}  // namespace hockney::models
