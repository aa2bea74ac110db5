#include "verdicts/family_intervals.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/statistics.hpp"
#include "tests/support/synthetic.hpp"
#include "tests/verdicts/side_fixture.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/power.hpp"

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
  std::size_t told = 0;
  for (const TrueFamily& truth : all_families()) {
    for (int campaign = 0; campaign < 5; ++campaign) {
      for (const Comparison& one : judged(truth.draw(noise))) {
        if (!one.launches_needed) continue;
        ++told;
        CHECK(*one.launches_needed > truth.launches);
      }
    }
  }
  CHECK(told > 150);
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

}  // namespace hockney::verdicts
