#include "health/detection/detector.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace hockney::health {
namespace {

/// Nights about `level` that differ by +-1 %, without dependence, in a fixed order.
double quiet(std::size_t night, double level = 1) {
  constexpr double pattern[] = {1, -1, -1, 1, 0, 1, 0, -1, -1, 0, 1};
  return std::log(level) + 0.01 * pattern[night % std::size(pattern)];
}

/// Observes `nights` nights at a level; the first on which the level is `wanted`, 1 = the first.
std::optional<int> nights_until(Detector& detector, Level wanted, double level, int nights) {
  std::optional<int> found;
  for (int night = 0; night < nights; ++night) {
    const auto finding =
        detector.observe({.log_value = quiet(static_cast<std::size_t>(night), level)});
    if (finding.level == wanted && !found) found = night + 1;
  }
  return found;
}

Detector after_a_month(Level worse = Level::higher) {
  Detector detector({}, worse);
  CHECK_FALSE(nights_until(detector, Level::higher, 1, 44));
  CHECK(detector.level() == Level::usual);
  return detector;
}

}  // namespace

TEST_CASE("nothing is said before there is a baseline") {
  Detector detector({.baseline = {.shortest = 14}});
  for (std::size_t night = 0; night < 14; ++night) {
    const NightFinding finding = detector.observe({.log_value = quiet(night, 1.0)});
    CHECK(finding.level == Level::unknown);
    CHECK_FALSE(finding.score);
  }
  const NightFinding finding = detector.observe({.log_value = 0.05});
  CHECK(finding.level == Level::usual);
  CHECK_FALSE(finding.changed);
  CHECK(*finding.score > 3);
}

TEST_CASE("a level that rises or falls by 5 % is found within a week") {
  Detector rising = after_a_month();
  CHECK(nights_until(rising, Level::higher, 1.05, 14).value_or(99) <= 7);
  Detector falling = after_a_month();
  CHECK(nights_until(falling, Level::lower, 1 / 1.05, 14).value_or(99) <= 7);
}

TEST_CASE("a change below the practical floor is nobody's business") {
  Detector detector = after_a_month();
  CHECK_FALSE(nights_until(detector, Level::higher, 1.015, 200));
}

TEST_CASE("spikes are no level, however high") {
  Detector detector = after_a_month();
  for (std::size_t night = 0; night < 300; ++night) {
    const double spike = night % 20 < 2 ? std::log(3.0) : 0;  // two nights in a row
    const NightFinding finding = detector.observe({.log_value = quiet(night) + spike});
    CHECK(finding.level == Level::usual);
  }
}

TEST_CASE("what is worse stays, until it is mended") {
  Detector detector = after_a_month();
  CHECK(nights_until(detector, Level::higher, 1.2, 200).value_or(99) <= 4);
  CHECK(detector.level() == Level::higher);
  CHECK(detector.baseline().median() == Approx(0).margin(0.011));
  CHECK(nights_until(detector, Level::usual, 1, 10).value_or(99) == 4);  // most of the last 7
}

TEST_CASE("what is better becomes the baseline after a month") {
  Detector detector = after_a_month();
  CHECK(nights_until(detector, Level::lower, 0.8, 20).value_or(99) <= 4);
  CHECK(detector.level() == Level::lower);
  int adopted = 0;
  for (std::size_t night = 0; night < 40; ++night) {
    const NightFinding finding = detector.observe({.log_value = quiet(night, 0.8)});
    adopted += finding.adopted;
    if (finding.adopted) CHECK(finding.changed);
  }
  CHECK(adopted == 1);
  CHECK(detector.level() == Level::usual);
  CHECK(detector.baseline().median() == Approx(std::log(0.8)).margin(0.011));
  CHECK(nights_until(detector, Level::higher, 1, 14).value_or(99) <= 7);  // the old level is worse
}

TEST_CASE("where lower is worse, a rise is adopted and a fall stays") {
  Detector detector = after_a_month(Level::lower);
  CHECK(nights_until(detector, Level::lower, 0.8, 100));
  CHECK(detector.level() == Level::lower);
  Detector better = after_a_month(Level::lower);
  CHECK(nights_until(better, Level::higher, 1.2, 100));
  CHECK(better.level() == Level::usual);
}

TEST_CASE("after a restart the new level is the baseline") {
  Detector detector = after_a_month();
  nights_until(detector, Level::higher, 1.3, 10);
  detector.restart();
  CHECK(detector.level() == Level::unknown);
  CHECK_FALSE(nights_until(detector, Level::higher, 1.3, 100));
  CHECK(detector.level() == Level::usual);
}

TEST_CASE("a night that is unsure of itself weighs less") {
  Detector sure = after_a_month();
  Detector unsure = after_a_month();
  const auto clear = sure.observe({.log_value = 0.05, .error = 0});
  const auto vague = unsure.observe({.log_value = 0.05, .error = 0.1});
  CHECK(*clear.score > 3);
  CHECK(*vague.score == Approx(0.5).margin(0.11));
}

TEST_CASE("a detector that cannot work is refused") {
  CHECK_THROWS_AS(Detector({.clip = 0}), InputError);
  CHECK_THROWS_AS(Detector({.allowance = -1}), InputError);
  CHECK_THROWS_AS(Detector({.threshold = 0}), InputError);
  CHECK_THROWS_AS(Detector({.practical = 0}), InputError);
  CHECK_THROWS_AS(Detector({.recent = 0}), InputError);
  CHECK_THROWS_AS(Detector({.adopt = 0}), InputError);
  Detector detector({});
  CHECK_THROWS_AS(detector.observe({.log_value = std::log(0.0)}), InputError);
}

}  // namespace hockney::health
