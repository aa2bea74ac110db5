#include "models/breakpoints.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "models/noise_floor.hpp"
#include "tests/models/curve_fixture.hpp"
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

}  // namespace hockney::models
