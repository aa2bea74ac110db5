#include "verdicts/max_t.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/synthetic.hpp"
#include "verdicts/power.hpp"

namespace hockney::verdicts {
namespace {

std::vector<LaunchLog> launches(const std::vector<double>& values) {
  std::vector<LaunchLog> all;
  for (const double value : values) all.push_back({all.size(), value});
  return all;
}

Contrast pairs(const std::vector<double>& differences) {
  return {.a = {}, .b = launches(differences)};
}

FamilyTest test(const std::vector<Contrast>& family, Alternative alternative = Alternative::either,
                double margin = 0) {
  return max_t(family, margin, alternative);
}

}  // namespace

TEST_CASE("the p of one point is the fraction of signs that say as much") {
  // Sums of {1, 2, 3} under all signs: 6, 4, 2, 0, 0, -2, -4, -6.
  CHECK(test({pairs({1, 2, 3})}, Alternative::greater).p == std::vector{1.0 / 8});
  CHECK(test({pairs({1, 2, 3})}).p == std::vector{2.0 / 8});
  CHECK(test({pairs({-1, 2, 3})}, Alternative::greater).p == std::vector{2.0 / 8});
  CHECK(test({pairs({-1, -2, 3})}, Alternative::greater).p == std::vector{5.0 / 8});
  CHECK(test({pairs({-1, -2, -3})}, Alternative::greater).p == std::vector{1.0});
  CHECK(test({pairs({-1, -2, -3})}).p == std::vector{2.0 / 8});
}

TEST_CASE("the p of sides without pairs is the fraction of labels that say as much") {
  // Of the 6 ways to give two of four launches to B only one has the two largest.
  const Contrast apart{.a = launches({1, 2}), .b = launches({3, 4})};
  CHECK(test({apart}, Alternative::greater).p == std::vector{1.0 / 6});
  CHECK(test({apart}).p == std::vector{2.0 / 6});
  const Contrast one{.a = launches({1, 2, 3}), .b = launches({9})};
  CHECK(test({one}, Alternative::greater).p == std::vector{1.0 / 4});
  CHECK(test({one}).p == std::vector{1.0 / 4});
}

TEST_CASE("points that move together cost each other nothing") {
  const Contrast point = pairs({1, 2, 3, 4, 5, 6});
  const FamilyTest family = test(std::vector(100, point));
  CHECK(family.p == std::vector(100, 2.0 / 64));
  CHECK(family.p_adjusted == std::vector(100, 2.0 / 64));
}

TEST_CASE("a point is held against what the others can do by chance, the least one last") {
  // By hand, u = sum / sqrt(sum of squares). First: |u| = 8/sqrt(22), second: 2/sqrt(12), of signs
  // in 4 launches; 16 rearrangements in pairs of opposite signs.
  const Contrast first = pairs({3, 2, 2, 2.2360679774997896});
  const Contrast second = pairs({3, -1, 1, -1});
  const FamilyTest family = test({first, second});
  CHECK(family.p[0] == 2.0 / 16);
  // |3 +- 1 +- 1 +- 1| is 6 once, 4 three times, 2 three times, 0 once, of eight.
  CHECK(family.p[1] == 14.0 / 16);
  // 6/sqrt(12) = 1.73 stays below 9.24/sqrt(22) = 1.97, so nothing is added.
  CHECK(family.p_adjusted[0] == 2.0 / 16);
  CHECK(family.p_adjusted[1] == 14.0 / 16);
}

TEST_CASE("with a margin only what lies beyond it counts") {
  const Contrast point = pairs({0.2, 0.21, 0.19, 0.2, 0.22, 0.18});
  CHECK(test({point}, Alternative::either, 0.1).p == std::vector{2.0 / 64});
  CHECK(test({point}, Alternative::greater, 0.3).p == std::vector{1.0});
  CHECK(test({point}, Alternative::either, 0.3).p[0] > 0.9);
  const Contrast less = pairs({-0.2, -0.21, -0.19, -0.2, -0.22, -0.18});
  CHECK(test({less}, Alternative::either, 0.1).p == std::vector{2.0 / 64});
}

TEST_CASE("sides that are equal to rounding are no evidence, however regular") {
  CHECK(test({pairs(std::vector(8, 1e-16))}).p == std::vector{1.0});
  const Contrast apart{.a = launches(std::vector(6, 0.1)), .b = launches(std::vector(6, 0.1))};
  CHECK(test({apart}).p == std::vector{1.0});
}

TEST_CASE("launches that lack a point do not speak of it") {
  Contrast point = pairs({1, 2, 3});
  point.b[2].launch = 9;
  const FamilyTest family = test({point, pairs({1, 1, 1, 1})});
  CHECK(family.p == std::vector{2.0 / 8, 2.0 / 16});
}

TEST_CASE("drawn rearrangements come to what all of them say, and are the same each time") {
  Noise noise(3);
  std::vector<double> differences;
  for (int i = 0; i < 13; ++i) differences.push_back(0.3 + noise.normal());
  // All 2^13, by counting sums directly.
  double real = 0;
  for (const double d : differences) real += d;
  int as_large = 0;
  for (int flipped = 0; flipped < 1 << 13; ++flipped) {
    double sum = 0;
    for (int i = 0; i < 13; ++i) {
      sum += (flipped >> i & 1) != 0 ? -differences[static_cast<std::size_t>(i)]
                                     : differences[static_cast<std::size_t>(i)];
    }
    as_large += std::abs(sum) >= std::abs(real) - 1e-9;
  }
  const double exact = as_large / 8192.0;
  const double drawn = test({pairs(differences)}).p[0];
  CHECK(std::abs(drawn - exact) < 4 * std::sqrt(exact * (1 - exact) / 10000));
  CHECK(test({pairs(differences)}).p[0] == drawn);
}

TEST_CASE("one burst does not hide what all other launches say") {
  std::vector<double> burst(12, 0.2);
  burst[4] = -10;
  // It counts as -0.6: of 2^12 sums of eleven 0.2 and one 0.6 those of 1.6 or more are 232 + 1.
  CHECK(test({pairs(burst)}, Alternative::greater).p[0] == 233.0 / 4096);
}

TEST_CASE("the smallest p depends on launches alone") {
  const Contrast six = pairs(std::vector(6, 1.0));
  CHECK(smallest_p(six, Alternative::either) == 2.0 / 64);
  CHECK(smallest_p(six, Alternative::greater) == 1.0 / 64);
  const Contrast equal{.a = launches({1, 2, 3}), .b = launches({4, 5, 6})};
  CHECK(smallest_p(equal, Alternative::either) == Approx(2.0 / 20));
  const Contrast unequal{.a = launches({1, 2, 3}), .b = launches({4, 5, 6, 7})};
  CHECK(smallest_p(unequal, Alternative::either) == Approx(1.0 / 35));
}

TEST_CASE("so many launches show four of five times what they are said to show") {
  Noise noise(5);
  const auto campaign = [&](std::size_t count) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < count; ++i) differences.push_back(0.1 + 0.1 * noise.normal());
    return pairs(differences);
  };
  // A pilot of five launches that say the truth: a difference of one standard deviation. The
  // family, of one point, asks for all that five launches can give: u = sqrt(5).
  std::vector<double> values;
  for (const double score : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    values.push_back(0.1 + 0.1 * score / std::sqrt(2.5));
  }
  const auto needed = launches_to_show(pairs(values), 0, {std::sqrt(5.0), 0.025});
  REQUIRE(needed);
  CHECK(*needed > 5);
  int shown = 0;
  constexpr int trials = 400;
  for (int i = 0; i < trials; ++i) shown += test({campaign(*needed)}).p[0] <= 0.05;
  CHECK(shown > 0.72 * trials);
  CHECK(shown < 0.9 * trials);
}

TEST_CASE("what lies within the margin is shown by no number of launches") {
  const Contrast point = pairs({0.1, -0.1, 0.05, -0.04, 0.02, 0.01});
  const double critical = critical_value(test({point}), 0.05).value_or(2);
  CHECK_FALSE(launches_to_show(point, 0.05, {critical, 0.025}));
}

}  // namespace hockney::verdicts
