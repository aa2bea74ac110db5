// Programs whose law is planted: what a study of their scaling says.

#include "application/projection/scaling.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <utility>

#include "core/error.hpp"

namespace hockney::projection {
namespace {

constexpr ScalingLaw truth{2, 40, 0.3};

/// Blocks of launches whose noise has this standard deviation; a block's is its launches' in common
/// for one half.
std::vector<ScalingTime> planted(const std::vector<int>& ranks, int blocks, double noise,
                                 unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<ScalingTime> times;
  for (int block = 1; block <= blocks; ++block) {
    const double common = normal(random) / 2;
    for (const int count : ranks) {
      times.push_back({block, count, truth.seconds(count) * (1 + common + normal(random))});
    }
  }
  return times;
}

}  // namespace

TEST_CASE("an exact law is found, extrapolated and turned into the most efficient ranks") {
  const ScalingStudy study = study_scaling(planted({1, 2, 4, 8}, 6, 0), 0.6, 3);
  REQUIRE(study.law);
  CHECK(study.law->constant_seconds == Approx(2));
  CHECK(study.law->divided_seconds == Approx(40));
  CHECK(study.law->doubled_seconds == Approx(0.3));
  CHECK(*study.held_out_error == Approx(0).margin(1e-9));
  REQUIRE(study.points.size() == 7);
  CHECK(study.points[3].is_measured);
  CHECK(study.points[3].seconds == Approx(7.9));
  CHECK_FALSE(study.points[4].is_measured);
  CHECK(study.points[4].ranks == 16);
  CHECK(study.points[4].seconds == Approx(2 + 2.5 + 1.2));
  CHECK(study.points[4].efficiency == Approx(42 / (16 * 5.7)));
  REQUIRE(study.best);
  CHECK(study.best->ranks == 8);  // 42 / (8 x 7.9) = 0.66
  CHECK(study_scaling(planted({1, 2, 4, 8}, 6, 0), 0.4, 3).best->ranks == 16);
  const ScalingStudy two = study_scaling(planted({2, 4}, 1, 0), 1, 3);
  CHECK(two.best->ranks == 2);
  CHECK_FALSE(two.law);
  CHECK(two.points.size() == 2);
}

TEST_CASE("intervals of extrapolated times hold the truth about as often as they say") {
  int held = 0;
  constexpr int trials = 300;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    const ScalingStudy study = study_scaling(planted({1, 2, 4, 8, 16}, 8, 0.01, seed), 0.5, 1);
    const ScalingPoint& beyond = study.points.back();
    REQUIRE(beyond.interval_seconds);
    const double seconds = truth.seconds(32);
    held += beyond.interval_seconds->low <= seconds && seconds <= beyond.interval_seconds->high;
  }
  INFO(held << " of " << trials);
  CHECK(held >= trials * 0.9);
}

TEST_CASE("too little to study is said") {
  CHECK_THROWS_AS(study_scaling(planted({4}, 6, 0), 0.5, 1), InputError);
  CHECK_THROWS_AS(study_scaling(planted({1, 2}, 6, 0), 0, 1), InputError);
  CHECK_THROWS_AS(study_scaling(planted({1, 2}, 6, 0), 1.1, 1), InputError);
  std::vector<ScalingTime> ragged = planted({1, 2}, 3, 0);
  ragged.pop_back();
  CHECK_THROWS_AS(study_scaling(ragged, 0.5, 1), InputError);
  const ScalingStudy few = study_scaling(planted({1, 2, 4}, 3, 0), 0.5, 1);
  CHECK_FALSE(few.points.front().interval_seconds);
  CHECK_FALSE(few.held_out_error);
}

TEST_CASE("a problem that grows with the ranks is efficient as long as its time stays") {
  std::vector<ScalingTime> times;  // 10 + 0.5 log2(p)
  for (int block = 1; block <= 6; ++block) {
    for (const auto& [ranks, seconds] : {std::pair{1, 10.0}, {2, 10.5}, {4, 11.0}, {8, 11.5}}) {
      times.push_back({block, ranks, seconds});
    }
  }
  const ScalingStudy study = study_scaling(times, 0.86, 1, Problem::grows);
  REQUIRE(study.law);
  CHECK(study.law->constant_seconds == Approx(10));
  CHECK(study.law->divided_seconds == 0);
  CHECK(study.law->doubled_seconds == Approx(0.5));
  CHECK(study.points[3].efficiency == Approx(10 / 11.5));
  CHECK(study.points[4].seconds == Approx(12));
  CHECK(study.best->ranks == 8);
}

}  // namespace hockney::projection
