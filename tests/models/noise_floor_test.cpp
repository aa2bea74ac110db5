#include "models/noise_floor.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "models/pooled_curve.hpp"
#include "tests/models/curve_fixture.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney::models {
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

}  // namespace hockney::models
