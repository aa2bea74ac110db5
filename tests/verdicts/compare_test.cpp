#include "verdicts/compare.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/error_line.hpp"
#include "tests/verdicts/side_fixture.hpp"

namespace hockney::verdicts {
namespace {

const std::vector<double> base{10e-6, 11e-6, 12e-6, 13e-6, 14e-6, 15e-6};

std::vector<double> times(double factor) {
  std::vector<double> seconds = base;
  for (double& value : seconds) value *= factor;
  return seconds;
}

Comparison only(const CompareSet& set) {
  REQUIRE(set.comparisons.size() == 1);
  return set.comparisons.front();
}

}  // namespace

TEST_CASE("a comparison has both absolute values, the ratio and its level") {
  const auto row = only(compare(side("a", base), side("b", times(2))));
  CHECK(row.design == Design::unpaired);
  CHECK(row.a.launches == 6);
  CHECK(row.a.median_seconds == Approx(12.5e-6));
  CHECK(row.a.interval_seconds->low == 10e-6);
  CHECK(row.b.median_seconds == Approx(25e-6));
  CHECK(row.b.interval_seconds->high == 30e-6);
  CHECK(row.ratio == Approx(2));
  CHECK(row.ratio_interval->level == Approx(1 - 2.0 * 19 / 924));
  CHECK(row.ratio_interval->low < 2);
  CHECK(row.ratio_interval->high > 2);
  CHECK(row.p == Approx(2.0 / 924));
  CHECK(row.verdict == Verdict::slower);
  CHECK_FALSE(row.reason);
}

TEST_CASE("the verdict is about B") {
  CHECK(only(compare(side("a", times(2)), side("b", base))).verdict == Verdict::faster);
  const auto same = only(compare(side("a", base), side("b", base)));
  CHECK(same.verdict == Verdict::no_evidence);
  CHECK(same.reason == NoEvidence::not_significant);
  CHECK(same.p == 1);
}

TEST_CASE("launches are paired only within one campaign and over the same blocks") {
  const CompareOptions campaign{.origin = Origin::one_campaign};
  const auto paired = only(compare(side("a", base), side("b", times(1.01)), campaign));
  CHECK(paired.design == Design::paired);
  CHECK(paired.ratio == Approx(1.01));
  CHECK(paired.p == 2.0 / 64);
  CHECK(paired.verdict == Verdict::slower);
  // The same launches, not paired, overlap far too much.
  CHECK(only(compare(side("a", base), side("b", times(1.01)))).design == Design::unpaired);
  CompareOptions never = campaign;
  never.pairing = Pairing::never;
  const auto unpaired = only(compare(side("a", base), side("b", times(1.01)), never));
  CHECK(unpaired.design == Design::unpaired);
  CHECK(unpaired.reason == NoEvidence::not_significant);
  // A launch is missing, has another number, or has the number of another.
  auto b = side("b", times(2));
  b.pop_back();
  CHECK(only(compare(side("a", base), b, campaign)).design == Design::unpaired);
  CHECK(only(compare(b, side("a", base), campaign)).design == Design::unpaired);
  for (const int number : {17, 0}) {
    b = side("b", times(2));
    b.back().campaign->launch = number;
    CHECK(only(compare(side("a", base), b, campaign)).design == Design::unpaired);
  }
  b.back().campaign.reset();
  CHECK(only(compare(side("a", base), b, campaign)).design == Design::unpaired);
}

TEST_CASE("launches too few for any difference are told, with how many are needed") {
  const std::vector<double> three{1e-6, 2e-6, 3e-6};
  const auto few = only(compare(side("a", three), side("b", {1.0, 2.0, 3.0})));
  CHECK(few.verdict == Verdict::no_evidence);
  CHECK(few.reason == NoEvidence::too_few_launches);
  CHECK(few.smallest_p == Approx(2.0 / 20));
  CHECK(few.launches_needed == 4U);  // 2/70
  CHECK_FALSE(few.ratio_interval);
  CHECK_FALSE(few.a.interval_seconds);
  const auto pairs =
      only(compare(side("a", three), side("b", {1.0, 2.0, 3.0}), {.origin = Origin::one_campaign}));
  CHECK(pairs.launches_needed == 6U);  // 2/64
}

TEST_CASE("the family decides what its members may claim") {
  // Six pairs can give 2/64; twice that is more than 0.05.
  const CompareOptions campaign{.origin = Origin::one_campaign};
  const auto a = sides_of("a", {{8, base}, {16, base}});
  const auto b = sides_of("b", {{8, times(2)}, {16, times(2)}});
  for (const Comparison& row : compare(a, b, campaign).comparisons) {
    CHECK(row.p_adjusted == 2.0 / 64);  // both points agree in every launch
    CHECK(row.verdict == Verdict::slower);
  }
  CompareOptions strict = campaign;
  strict.correction = Correction::holm;
  const auto holm = compare(a, b, strict);
  for (const Comparison& row : holm.comparisons) {
    CHECK(row.p_adjusted == 4.0 / 64);
    CHECK(row.reason == NoEvidence::too_few_launches);
    CHECK(row.launches_needed == 7U);
  }
  for (const Correction correction : {Correction::benjamini_hochberg, Correction::none}) {
    CompareOptions lenient = campaign;
    lenient.correction = correction;
    const auto set = compare(a, b, lenient);
    for (const Comparison& row : set.comparisons) CHECK(row.verdict == Verdict::slower);
  }
}

TEST_CASE("a difference must exceed what was asked for") {
  CompareOptions options{.at_least = 0.5};
  CHECK(only(compare(side("a", base), side("b", times(4)), options)).verdict == Verdict::slower);
  CHECK(only(compare(side("a", times(4)), side("b", base), options)).verdict == Verdict::faster);
  options.at_least = 3;
  const auto within = only(compare(side("a", base), side("b", times(4)), options));
  CHECK(within.verdict == Verdict::no_evidence);
  CHECK(within.reason == NoEvidence::not_significant);
}

TEST_CASE("intervals follow alpha") {
  const auto strict = only(compare(side("a", base), side("b", times(2)), {.alpha = 0.005}));
  // U is 0 or 1 in 2 of 924 draws, 2 in two more.
  CHECK(strict.ratio_interval->level == Approx(1 - 4.0 / 924));
  CHECK_FALSE(strict.a.interval_seconds);
  for (const double alpha : {0.0, -1.0, 0.6}) {
    CHECK_FALSE(input_error_of([&] { compare({}, {}, {.alpha = alpha}); }).empty());
  }
}

TEST_CASE("a least difference that is none is refused") {
  for (const double bad : {-0.1, std::nan(""), HUGE_VAL}) {
    CHECK_FALSE(input_error_of([&] { compare({}, {}, {.at_least = bad}); }).empty());
  }
}

TEST_CASE("points that lack a side are listed with the reason") {
  auto a = sides_of("a", {{8, base}, {16, base}, {32, base}});
  auto b = sides_of("b", {{8, base}, {64, base}, {16, std::vector<double>(6, 0.0)}});
  for (Record& record : b) add_skipped(record, simple_point("pingpong", 32), "budget spent");
  for (Record& record : a) add_skipped(record, simple_point("pingpong", 128), "too large");
  a.push_back(b.front());
  a.back().status = LaunchStatus::interrupted;
  const CompareSet set = compare(a, b);
  CHECK(only(set).point.bytes == Bytes{8});
  CHECK(set.a.launches == 6);
  CHECK(set.a.launches_left_out == 1);
  REQUIRE(set.only_in_a.size() == 2);
  CHECK(set.only_in_a[0].point.bytes == Bytes{16});
  CHECK(set.only_in_a[0].absence == Absence::no_time);
  CHECK(set.only_in_a[1].absence == Absence::not_measured);
  CHECK(set.only_in_a[1].detail == "budget spent");
  REQUIRE(set.only_in_b.size() == 1);
  CHECK(set.only_in_b[0].point.bytes == Bytes{64});
  CHECK(set.only_in_b[0].absence == Absence::not_planned);
  REQUIRE(set.in_neither.size() == 1);
  CHECK(set.in_neither[0].detail == "too large");
}

}  // namespace hockney::verdicts
