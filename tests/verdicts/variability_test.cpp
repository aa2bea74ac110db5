#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/synthetic.hpp"
#include "verdicts/variability.hpp"

namespace hockney::verdicts {
namespace {

enum class Shape { normal, student, exponential };

/// A logarithm of one mode, about 0.
double logarithm(Shape shape, Noise& noise) {
  if (shape == Shape::normal) return noise.normal();
  if (shape == Shape::exponential) return -std::log(noise.uniform());
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(noise.normal(), 2);
  return noise.normal() * std::sqrt(3 / squares);
}

/// Launch medians at some points: each launch has a level of its own at all of them (3 %), and is
/// off it by 2 %; those of `slow` take `factor` times as long.
struct LaunchLevels {
  std::size_t launches = 10;
  std::size_t points = 45;
  std::size_t slow = 0;
  double factor = 1;
  Shape shape = Shape::normal;

  [[nodiscard]] std::vector<std::vector<double>> draw(Noise& noise) const {
    std::vector<std::vector<double>> seconds(points);
    for (std::size_t launch = 0; launch < launches; ++launch) {
      const double level = 0.03 * logarithm(shape, noise) + (launch < slow ? std::log(factor) : 0);
      for (std::vector<double>& point : seconds) {
        point.push_back(1e-7 * std::exp(level + 0.02 * logarithm(shape, noise)));
      }
    }
    return seconds;
  }
};

std::size_t moded(const std::vector<std::vector<double>>& points) {
  const auto found = find_modes(points);
  return static_cast<std::size_t>(
      std::ranges::count_if(found, [](const auto& one) { return one.has_value(); }));
}

}  // namespace

TEST_CASE("the largest gap is that of two parts, each by its own spread") {
  // Parts 0 .. 0.2 and 1.0 .. 1.2: squares 0.02 each, deviation sqrt(0.04 / 4) = 0.1, gap 0.8.
  const auto gap = largest_gap(std::vector{1.2, 0.0, 0.2, 1.0, 1.1, 0.1});
  REQUIRE(gap);
  CHECK(gap->below == 3);
  CHECK(gap->statistic == Approx(8));
  CHECK_FALSE(largest_gap(std::vector{0.0, 0.0, 0.0, 1.0, 1.0}));
  // One launch far off is no mode.
  CHECK(largest_gap(std::vector{0.0, 0.1, 0.2, 0.3, 0.4, 9.0})->statistic < 2);
}

TEST_CASE("the p of a gap falls from 0.05 on, and never promises more than it knows") {
  CHECK(mode_p(5, 1e9) == 1);
  CHECK(mode_p(10, 1) == 1);
  for (const std::size_t launches : {6U, 10U, 30U, 100U}) {
    double before = 1;
    for (double statistic = 1; statistic < 1000; statistic *= 1.3) {
      const double p = mode_p(launches, statistic);
      CHECK(p <= before);
      before = p;
    }
    CHECK(before < 1e-4);
  }
  CHECK(mode_p(100, 5) == mode_p(30, 5));
}

TEST_CASE("ten launches of which three are fast: both times, and how many launches have each") {
  const std::vector<std::vector<double>> points{{0.111e-6, 0.351e-6, 0.350e-6, 0.105e-6, 0.352e-6,
                                                 0.353e-6, 0.104e-6, 0.350e-6, 0.355e-6, 0.352e-6}};
  const auto found = find_modes(points).at(0);
  REQUIRE(found);
  CHECK(found->low_seconds == 0.105e-6);
  CHECK(found->high_seconds == 0.352e-6);
  CHECK(found->low_launches() == 3);
  CHECK(found->high_launches() == 7);
  CHECK_FALSE(found->is_high[0]);
  CHECK(found->is_high[1]);
  CHECK(found->p_adjusted < 0.001);
}

TEST_CASE("planted modes are named in 20 of 20 campaigns, at nearly every point") {
  Noise noise(31);
  for (const std::size_t launches : {7U, 10U, 14U, 30U}) {
    const LaunchLevels truth{.launches = launches, .slow = launches / 2, .factor = 3.4};
    int campaigns = 0;
    std::size_t points = 0;
    for (int i = 0; i < 20; ++i) {
      const std::size_t named = moded(truth.draw(noise));
      campaigns += named > 0 ? 1 : 0;
      points += named;
    }
    INFO(launches << " launches");
    CHECK(campaigns == 20);
    CHECK(points > 17 * truth.points);
  }
}

TEST_CASE("no mode is named in 20 of 20 quiet campaigns") {
  Noise noise(32);
  for (const Shape shape : {Shape::normal, Shape::student, Shape::exponential}) {
    int campaigns = 0;
    for (int i = 0; i < 20; ++i) campaigns += moded(LaunchLevels{.shape = shape}.draw(noise)) == 0;
    CHECK(campaigns == 20);
  }
}

TEST_CASE("of campaigns whose launches have one mode at most one in twenty has two at any point") {
  Noise noise(33);
  for (const Shape shape : {Shape::normal, Shape::student, Shape::exponential}) {
    for (const std::size_t launches : {6U, 8U, 12U, 20U, 30U}) {
      int wrong = 0;
      constexpr int campaigns = 400;
      for (int i = 0; i < campaigns; ++i) {
        // Points that have nothing in common are the hardest, and levels that hide no ratio.
        std::vector<std::vector<double>> points(20);
        for (std::vector<double>& point : points) {
          for (std::size_t launch = 0; launch < launches; ++launch) {
            point.push_back(std::exp(logarithm(shape, noise)));
          }
        }
        wrong += moded(points) > 0 ? 1 : 0;
      }
      INFO(launches << " launches, shape " << static_cast<int>(shape));
      CHECK(wrong <= 0.05 * campaigns + 2 * std::sqrt(0.05 * 0.95 * campaigns));
    }
  }
}

TEST_CASE("modes that are near each other, and steps of a clock, are none") {
  const std::vector<std::vector<double>> points{
      {1.00e-6, 1.00e-6, 1.00e-6, 1.05e-6, 1.05e-6, 1.05e-6, 1.05e-6, 1.05e-6},
      std::vector<double>(8, 1e-6),
      {1e-6, 1e-6, 0, 3e-6, 3e-6, 3e-6, 3e-6, 3e-6},
      {1e-6, 1e-6, std::numeric_limits<double>::infinity(), 3e-6, 3e-6, 3e-6, 3e-6, 3e-6},
      {}};
  CHECK(moded(points) == 0);
}

}  // namespace hockney::verdicts
