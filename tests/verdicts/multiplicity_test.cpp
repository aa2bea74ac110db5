#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/statistics.hpp"
#include "tests/support/synthetic.hpp"
#include "tests/verdicts/side_fixture.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::verdicts {
namespace {

constexpr double alpha = 0.05;

/// A family of points whose launches move together by half, with logarithms that spread by one
/// tenth: normal, or with tails like Student's t of three. The first `differing` have a shift.
struct TrueFamily {
  std::size_t points = 12;
  std::size_t launches = 8;
  std::size_t differing = 4;
  double shift = 0.2;
  bool is_paired = true;
  bool has_tails = false;

  [[nodiscard]] double shift_of(std::size_t point) const { return point < differing ? shift : 0; }

  [[nodiscard]] std::vector<Contrast> draw(Noise& noise) const {
    std::vector<Contrast> family(points);
    for (const bool of_b : {false, true}) {
      if (!of_b && is_paired) continue;
      for (std::size_t launch = 0; launch < launches; ++launch) {
        const double common = 0.05 * value(noise);
        for (std::size_t i = 0; i < points; ++i) {
          const double own = common + 0.1 * value(noise) + (of_b ? shift_of(i) : 0);
          (of_b ? family[i].b : family[i].a).push_back({launch, own});
        }
      }
    }
    return family;
  }

 private:
  [[nodiscard]] double value(Noise& noise) const {
    if (!has_tails) return noise.normal();
    double squares = 0;
    for (int i = 0; i < 3; ++i) squares += std::pow(noise.normal(), 2);
    return noise.normal() / std::sqrt(squares);
  }
};

std::vector<TrueFamily> all_families() {
  std::vector<TrueFamily> families;
  for (const std::size_t launches : {6U, 7U, 9U}) {
    for (const bool is_paired : {true, false}) {
      for (const bool has_tails : {true, false}) {
        families.push_back({.launches = launches, .is_paired = is_paired, .has_tails = has_tails});
      }
    }
  }
  return families;
}

/// As compare() makes them of a family.
std::vector<Comparison> judged(const std::vector<Contrast>& family, double at_least = 0) {
  std::vector<Comparison> comparisons;
  std::vector<Comparison*> places;
  for (const Contrast& contrast : family) {
    std::vector<double> a;
    std::vector<double> b;
    for (const LaunchLog& one : contrast.a) a.push_back(one.value);
    for (const LaunchLog& one : contrast.b) b.push_back(one.value);
    Comparison& made = comparisons.emplace_back();
    made.contrast = contrast;
    made.design = a.empty() ? Design::paired : Design::unpaired;
    made.ratio =
        std::exp(a.empty() ? hodges_lehmann(b).value() : hodges_lehmann_shift(b, a).value());
    made.smallest_p = smallest_p(contrast, Alternative::either);
  }
  for (Comparison& one : comparisons) places.push_back(&one);
  judge_family(places, {.alpha = alpha, .at_least = at_least});
  return comparisons;
}

}  // namespace

TEST_CASE("the interval of one point is where its statistic stays below the critical value") {
  // u = sum / sqrt(sum of squares) of the residues 1 .. 6 about a shift; none is drawn in.
  Contrast contrast;
  for (const double value : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    contrast.b.push_back({contrast.b.size(), value});
  }
  CHECK(statistic_of(contrast, 0) == Approx(21 / std::sqrt(91)));
  CHECK(statistic_of(contrast, 3.5) == Approx(0).margin(1e-12));
  CHECK(statistic_of(contrast, 7) == Approx(-statistic_of(contrast, 0)));
  const std::vector<Contrast> family{contrast};
  const FamilyTest test = max_t(family, 0, Alternative::either);
  const auto interval = family_intervals(family, test, alpha, Alternative::either).at(0);
  REQUIRE(interval);
  CHECK(interval->low + interval->high == Approx(7));
  CHECK(interval->low > 0);  // p is 2/64
  CHECK(interval->level == 1 - alpha);
}

TEST_CASE("an interval is drawn to its verdict, and no further") {
  const Interval across{-0.1, 0.3, 0.95};
  CHECK(agreeing(across, 0, Shown::nothing) == across);
  CHECK(agreeing(across, 0, Shown::above) == Interval{0, 0.3, 0.95});
  CHECK(agreeing(across, 0, Shown::below) == Interval{-0.1, 0, 0.95});
  const Interval above{0.1, 0.3, 0.95};
  CHECK(agreeing(above, 0, Shown::above) == above);
  CHECK(agreeing(above, 0.05, Shown::nothing) == Interval{0.05, 0.3, 0.95});
}

TEST_CASE("in random families an interval leaves out 1 exactly where a difference is shown") {
  Noise noise(11);
  for (const TrueFamily& truth : all_families()) {
    INFO(truth.launches << " launches, paired " << truth.is_paired << ", tails "
                        << truth.has_tails);
    for (int campaign = 0; campaign < 4; ++campaign) {
      for (const double at_least : {0.0, 0.05}) {
        const std::vector<Contrast> family = truth.draw(noise);
        for (const Comparison& one : judged(family, at_least)) {
          REQUIRE(one.family == family.size());
          if (!one.family_interval) continue;
          const double limit = 1 + at_least;
          if (one.verdict == Verdict::slower) CHECK(one.family_interval->low >= limit * (1 - 1e-9));
          if (one.verdict == Verdict::faster) CHECK(one.family_interval->high * limit <= 1 + 1e-9);
          if (one.verdict == Verdict::no_evidence) {
            CHECK(one.family_interval->low <= limit * (1 + 1e-9));
            CHECK(one.family_interval->high * limit >= 1 - 1e-9);
          }
        }
      }
    }
  }
}

TEST_CASE("a number of launches that would show a ratio is more than there are") {
  Noise noise(13);
  std::size_t reported = 0;
  for (const TrueFamily& truth : all_families()) {
    for (int campaign = 0; campaign < 5; ++campaign) {
      for (const Comparison& one : judged(truth.draw(noise))) {
        if (!one.launches_needed) continue;
        ++reported;
        CHECK(*one.launches_needed > truth.launches);
      }
    }
  }
  CHECK(reported > 150);
}

TEST_CASE("so many launches as are told show a ratio of its family four times of five") {
  Noise noise(17);
  // Six launches at the quantiles of the truth, of which one of twelve points differs.
  TrueFamily truth{.differing = 1, .shift = 0.2};
  const double deviation = std::hypot(0.05, 0.1);
  Contrast few;
  for (const double score : {-1.35, -0.67, -0.21, 0.21, 0.67, 1.35}) {
    few.b.push_back({few.b.size(), truth.shift + deviation * score});
  }
  // The family asks for all that six launches can give: u = sqrt(6).
  const FamilyThreshold family{std::sqrt(6.0), alpha / (2 * static_cast<double>(truth.points))};
  const auto needed = launches_to_show(few, 0, family);
  REQUIRE(needed);
  CHECK(*needed > 6);
  truth.launches = *needed;
  int shown = 0;
  constexpr int trials = 60;
  for (int i = 0; i < trials; ++i) {
    shown += judged(truth.draw(noise)).front().verdict == Verdict::slower ? 1 : 0;
  }
  CHECK(shown > 0.7 * trials);
}

TEST_CASE("all intervals of a family hold their true ratios at once in 95 of 100 campaigns") {
  Noise noise(19);
  for (const bool is_paired : {true, false}) {
    const TrueFamily truth{.launches = 8, .is_paired = is_paired};
    int held = 0;
    constexpr int campaigns = 100;
    for (int campaign = 0; campaign < campaigns; ++campaign) {
      const std::vector<Comparison> family = judged(truth.draw(noise));
      const auto holds = [&](const Comparison& one) {
        const auto place = static_cast<std::size_t>(&one - family.data());
        const double ratio = std::exp(truth.shift_of(place));
        return !one.family_interval ||
               (one.family_interval->low <= ratio && ratio <= one.family_interval->high);
      };
      held += std::ranges::all_of(family, holds) ? 1 : 0;
    }
    // 95 % less two standard errors of so many campaigns.
    CHECK(held >= 0.906 * campaigns);
  }
}

TEST_CASE("too few launches have no interval of the family") {
  Noise noise(23);
  const TrueFamily truth{.launches = 4};
  for (const Comparison& one : judged(truth.draw(noise))) {
    CHECK_FALSE(one.family_interval);
    CHECK(one.reason == NoEvidence::too_few_launches);
  }
}

TEST_CASE("of one point without correction and by Holm intervals agree with verdicts, too") {
  for (const Correction correction : {Correction::none, Correction::holm}) {
    for (const double factor : {1.3, 1.02}) {
      std::vector<double> a;
      std::vector<double> b;
      for (int i = 0; i < 8; ++i) {
        a.push_back(1e-6 * (1 + 0.01 * i));
        b.push_back(factor * 1e-6 * (1 + 0.01 * ((3 * i) % 8)));
      }
      const CompareSet set = compare(side("a", a), side("b", b), {.correction = correction});
      const Comparison& one = set.comparisons.at(0);
      REQUIRE(one.family_interval);
      CHECK((one.family_interval->low > 1) == (one.verdict == Verdict::slower));
    }
  }
}

namespace {

std::vector<LaunchLog> launch_logs(const std::vector<double>& values) {
  std::vector<LaunchLog> all;
  for (const double value : values) all.push_back({all.size(), value});
  return all;
}

Contrast pairs(const std::vector<double>& differences) {
  return {.a = {}, .b = launch_logs(differences)};
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
  const Contrast apart{.a = launch_logs({1, 2}), .b = launch_logs({3, 4})};
  CHECK(test({apart}, Alternative::greater).p == std::vector{1.0 / 6});
  CHECK(test({apart}).p == std::vector{2.0 / 6});
  const Contrast one{.a = launch_logs({1, 2, 3}), .b = launch_logs({9})};
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
  const Contrast apart{.a = launch_logs(std::vector(6, 0.1)),
                       .b = launch_logs(std::vector(6, 0.1))};
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
  const Contrast equal{.a = launch_logs({1, 2, 3}), .b = launch_logs({4, 5, 6})};
  CHECK(smallest_p(equal, Alternative::either) == Approx(2.0 / 20));
  const Contrast unequal{.a = launch_logs({1, 2, 3}), .b = launch_logs({4, 5, 6, 7})};
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

using Values = std::vector<double>;

TEST_CASE("Holm multiplies the smallest p most, and never lets a larger one overtake") {
  // Ascending 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04 -> 0.06.
  const Values adjusted = holm(Values{0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[0] == Approx(0.03));
  CHECK(adjusted[1] == Approx(0.06));
  CHECK(adjusted[2] == Approx(0.06));
  CHECK(adjusted[3] == Approx(0.02));
  CHECK(holm(Values{0.5, 0.9}) == Values{1, 1});
  CHECK(holm(Values{0.04}) == Values{0.04});
  CHECK(holm(Values{}).empty());
}

TEST_CASE("Benjamini and Hochberg weigh each p by its rank") {
  // Ascending 0.005, 0.01, 0.03, 0.04 times 4, 2, 4/3, 1: 0.02, 0.02, 0.04, 0.04.
  const Values adjusted = benjamini_hochberg(Values{0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[0] == Approx(0.02));
  CHECK(adjusted[1] == Approx(0.04));
  CHECK(adjusted[2] == Approx(0.04));
  CHECK(adjusted[3] == Approx(0.02));
  // A larger one with a smaller product takes the smaller ones along: 0.09, 0.06 -> 0.05, 0.05.
  const Values taken = benjamini_hochberg(Values{0.03, 0.04, 0.05});
  for (const double p : taken) CHECK(p == Approx(0.05));
  CHECK(benjamini_hochberg(Values{}).empty());
}

TEST_CASE("ties get the same adjusted p") {
  const Values h = holm(Values{0.02, 0.02, 0.02});
  for (const double p : h) CHECK(p == Approx(0.06));
  const Values bh = benjamini_hochberg(Values{0.02, 0.02, 0.02});
  for (const double p : bh) CHECK(p == Approx(0.02));
}

TEST_CASE("a correction is chosen by its name") {
  const Values p{0.01, 0.02};
  CHECK(adjust(p, Correction::none) == p);
  CHECK(adjust(p, Correction::holm) == holm(p));
  CHECK(adjust(p, Correction::benjamini_hochberg) == benjamini_hochberg(p));
}

}  // namespace hockney::verdicts
