#include <catch2/catch.hpp>
#include <cmath>

#include "models/fit.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney::models {
namespace {

std::vector<TimedSize> noisy_points(std::size_t count, std::uint64_t seed) {
  Noise noise(seed);
  std::vector<TimedSize> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double time = 1 + static_cast<double>(i) + 5 * noise.uniform();
    points.push_back({static_cast<double>(i), time, time});
  }
  return points;
}

/// The least cost of any division into `segments`, by trying all of them.
long double least_cost(const LineCosts& costs, std::size_t first, std::size_t segments) {
  if (segments == 1) {
    return costs.size() - first < sizes_per_segment ? HUGE_VALL : costs.cost(first, costs.size());
  }
  long double least = HUGE_VALL;
  for (std::size_t end = first + sizes_per_segment; end + sizes_per_segment <= costs.size();
       ++end) {
    least = std::min(least, costs.cost(first, end) + least_cost(costs, end, segments - 1));
  }
  return least;
}

}  // namespace

TEST_CASE("dynamic programming finds what trying everything finds") {
  const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U);
  const LineCosts costs(noisy_points(18, seed));
  const auto best = best_segmentations(costs, 4);
  REQUIRE(best.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(seed, k);
    CHECK(best[k].segments() == k + 1);
    CHECK(best[k].cost == Approx(static_cast<double>(least_cost(costs, 0, k + 1))));
  }
}

TEST_CASE("every segment has four sizes") {
  const auto best = best_segmentations(LineCosts(noisy_points(19, 7)), 10);
  REQUIRE(best.size() == 4);
  for (const Segmentation& division : best) {
    for (std::size_t k = 0; k < division.segments(); ++k) {
      CHECK(division.end(k, 19) - division.starts[k] >= sizes_per_segment);
    }
  }
}

TEST_CASE("few sizes give one segment, and fewer than two none") {
  CHECK(best_segmentations(LineCosts(noisy_points(1, 1)), 3).empty());
  CHECK(best_segmentations(LineCosts(noisy_points(0, 1)), 3).empty());
  CHECK(best_segmentations(LineCosts(noisy_points(2, 1)), 3).size() == 1);
  CHECK(best_segmentations(LineCosts(noisy_points(7, 1)), 3).size() == 1);
  CHECK(best_segmentations(LineCosts(noisy_points(8, 1)), 3).size() == 2);
}

TEST_CASE("the criterion is the formula and stops at the floor") {
  const Segmentation two{.starts = {0, 4}, .cost = 0.08};
  CHECK(information_criterion(two, 8, 1e-3) ==
        Approx(8 * std::log(0.01) + 5 * std::log(8.0)).epsilon(1e-14));
  CHECK(information_criterion(two, 8, 0.2) ==
        Approx(8 * std::log(0.04) + 5 * std::log(8.0)).epsilon(1e-14));
}

TEST_CASE("below the floor fewer segments win") {
  const std::vector<Segmentation> candidates{{{0}, 0.08}, {{0, 4}, 1e-9}};
  CHECK(choose_segmentation(candidates, 8, 1e-3).segments() == 2);
  CHECK(choose_segmentation(candidates, 8, 0.2).segments() == 1);
}

}  // namespace hockney::models
