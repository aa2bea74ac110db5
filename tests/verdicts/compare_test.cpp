#include <catch2/catch.hpp>
#include <cmath>

#include "core/suite_names.hpp"
#include "tests/support/by_chance.hpp"
#include "tests/support/each_node_records.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/study.hpp"
#include "tests/support/synthetic.hpp"
#include "tests/verdicts/side_fixture.hpp"
#include "verdicts/compare.hpp"

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

TEST_CASE("each node is compared with itself") {
  const std::vector<Record> before = launches_of_nodes({.nodes = 3, .launches = 8});
  const std::vector<Record> after = launches_of_nodes({.nodes = 3, .launches = 8, .factor = 2});
  const CompareSet set = compare(before, after);
  REQUIRE(set.comparisons.size() == 27);  // nine sizes
  for (const Comparison& one : set.comparisons) {
    CHECK(one.ratio == Approx(host_of(one.point) == "h2" ? 2 : 1));
    CHECK(one.a.launches == 8);
  }
  CHECK(set.a.launches == 8);
  CHECK(set.a.nodes == 3);
}

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

TEST_CASE("a comparison with imported figures says so, and which share of blocks was disturbed") {
  std::vector<Record> a = side("a", {1, 1, 1});
  std::vector<Record> b = side("b", {1, 1, 1});
  CHECK_FALSE(compare(a, b).of_means);
  for (Record& record : a) record.stopped_because = imported_reason;
  const CompareSet set = compare(a, b);
  CHECK(set.of_means);
  CHECK(set.a.is_imported);
  CHECK_FALSE(set.b.is_imported);
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

namespace {

/// A starts sooner, B is faster: they take as long as each other at 8000 bytes.
double a_seconds(double bytes) { return 1e-6 + bytes * 2e-10; }
double b_seconds(double bytes) { return 1.8e-6 + bytes * 1e-10; }

const std::vector<std::int64_t> six_sizes{1024, 2048, 4096, 8192, 16384, 32768};

/// A campaign of both, whose launches have a factor of their own and times a little off.
struct Campaign {
  std::vector<Record> a;
  std::vector<Record> b;
};

Campaign campaign_of(int launches, double spread, std::uint64_t seed) {
  Noise noise(seed);
  Campaign campaign;
  for (int launch = 1; launch <= launches; ++launch) {
    Record a = launch_of("a");
    Record b = launch_of("b");
    a.campaign->launch = b.campaign->launch = launch;
    const double common = std::exp(0.1 * noise.normal());
    for (const std::int64_t bytes : six_sizes) {
      const auto off = [&] { return common * std::exp(spread * noise.normal()); };
      const auto n = static_cast<double>(bytes);
      add_measured(a, simple_point("pingpong", bytes), a_seconds(n) * off());
      add_measured(b, simple_point("pingpong", bytes), b_seconds(n) * off());
    }
    campaign.a.push_back(a);
    campaign.b.push_back(b);
  }
  return campaign;
}

Crossover crossover_of(const Campaign& campaign, Origin origin = Origin::one_campaign) {
  const CompareSet set = compare(campaign.a, campaign.b, {.origin = origin});
  REQUIRE(set.crossovers.size() == 1);
  return set.crossovers.front();
}

SizeEvidence evidence(std::int64_t bytes, Winner winner, double a, double b) {
  return {.bytes = {bytes},
          .winner = winner,
          .launches = std::vector<TimePair>(6, {.a_seconds = a, .b_seconds = b})};
}

}  // namespace

TEST_CASE("two lines cross where they do, to the byte, and the interval ends at measured sizes") {
  const Crossover found = crossover_of(campaign_of(12, 0, 1));
  CHECK(found.reason.empty());
  REQUIRE(found.crossings.size() == 1);
  const Crossing& crossing = found.crossings.front();
  CHECK(crossing.above == Winner::b);
  CHECK(crossing.bytes == Approx(8000));
  CHECK(crossing.launches == 12);
  REQUIRE(crossing.interval_bytes);
  CHECK(crossing.interval_bytes->low == 4096);
  CHECK(crossing.interval_bytes->high == 8192);
}

TEST_CASE("the interval of a crossing holds the truth as often as it says", "[study]") {
  const int trials = trials_of(300);
  int held = 0;
  int once = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto seed = static_cast<std::uint64_t>(1000 + trial);
    const Crossover found = crossover_of(campaign_of(12, 0.05, seed));
    if (found.crossings.size() != 1) continue;
    ++once;
    const auto& interval = found.crossings.front().interval_bytes;
    held += interval && interval->low <= 8000 && 8000 <= interval->high ? 1 : 0;
  }
  CHECK(once >= at_least(trials, 0.97));
  CHECK(held >= at_least(once, 0.97));
}

TEST_CASE("a size without a winner between two winners moves no crossing out of its launches") {
  const std::vector<SizeEvidence> curve{
      evidence(10, Winner::a, 1, 2), evidence(20, Winner::no_rank, 2, 2.5),
      evidence(40, Winner::no_rank, 4, 3.5), evidence(80, Winner::b, 8, 4)};
  const Crossover found = find_crossings({}, curve);
  REQUIRE(found.crossings.size() == 1);
  CHECK(found.crossings[0].from == Bytes{10});
  CHECK(found.crossings[0].to == Bytes{80});
  CHECK(found.crossings[0].bytes == 30);
  REQUIRE(found.crossings[0].interval_bytes);
  CHECK(found.crossings[0].interval_bytes->low == 20);
  CHECK(found.crossings[0].interval_bytes->high == 40);
}

TEST_CASE("curves that cross several times have every crossing and no single one") {
  const std::vector<SizeEvidence> curve{
      evidence(10, Winner::b, 2, 1), evidence(20, Winner::a, 1, 2), evidence(40, Winner::b, 2, 1)};
  const Crossover found = find_crossings({}, curve);
  CHECK(found.reason == "they cross 2 times");
  REQUIRE(found.crossings.size() == 2);
  CHECK(found.crossings[0].above == Winner::a);
  CHECK(found.crossings[0].bytes == 15);
  CHECK(found.crossings[1].above == Winner::b);
  CHECK(found.crossings[1].bytes == 30);
}

TEST_CASE("curves that do not cross say why") {
  const std::vector<SizeEvidence> better{evidence(8, Winner::no_rank, 1, 1),
                                         evidence(4096, Winner::b, 2, 1)};
  CHECK(find_crossings({}, better).reason == "only B is shown to be faster, at 4K first");
  const std::vector<SizeEvidence> equal{evidence(8, Winner::no_rank, 1, 1)};
  CHECK(find_crossings({}, equal).reason == "neither is shown to be faster at any size");
  CHECK(crossover_of(campaign_of(5, 0, 1)).reason == "too few launches to show who is faster");
  CHECK(crossover_of(campaign_of(12, 0, 1), Origin::apart).reason ==
        "the launches of A and B are not pairs of one campaign");
}

TEST_CASE("fewer than six launches have no interval") {
  SizeEvidence low = evidence(10, Winner::a, 1, 2);
  SizeEvidence high = evidence(20, Winner::b, 2, 1);
  low.launches.pop_back();
  high.launches.pop_back();
  const Crossover found = find_crossings({}, std::vector{low, high});
  REQUIRE(found.crossings.size() == 1);
  CHECK(found.crossings[0].bytes == 15);
  CHECK_FALSE(found.crossings[0].interval_bytes);
}

TEST_CASE("settings whose paths differ are compared at every size, with the path of each") {
  std::vector<Record> a = side("shm", std::vector<double>(8, 1e-6));
  std::vector<Record> b = side("cma", std::vector<double>(8, 2e-6));
  for (Record& record : a) record.series[0].point.path = record.points.own()[0].point.path = "shm";
  for (Record& record : b) record.series[0].point.path = record.points.own()[0].point.path = "cma";
  const CompareSet set = compare(a, b, {.origin = Origin::one_campaign});
  CHECK(set.only_in_a.empty());
  CHECK(set.only_in_b.empty());
  REQUIRE(set.comparisons.size() == 1);
  CHECK(set.comparisons[0].verdict == Verdict::slower);
  CHECK_FALSE(set.comparisons[0].point.path);
  CHECK(set.comparisons[0].a.path == "shm");
  CHECK(set.comparisons[0].b.path == "cma");
}

}  // namespace hockney::verdicts
