#include "verdicts/crossover.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/synthetic.hpp"
#include "tests/verdicts/side_fixture.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {
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

TEST_CASE("the interval of a crossing holds the truth as often as it says") {
  constexpr int trials = 300;
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
  CHECK(once > trials * 95 / 100);
  CHECK(held >= once * 95 / 100);
}

TEST_CASE("a size without a winner between two winners moves no crossing out of its launches") {
  const std::vector<SizeEvidence> curve{
      evidence(10, Winner::a, 1, 2), evidence(20, Winner::nobody, 2, 2.5),
      evidence(40, Winner::nobody, 4, 3.5), evidence(80, Winner::b, 8, 4)};
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
  const std::vector<SizeEvidence> better{evidence(8, Winner::nobody, 1, 1),
                                         evidence(4096, Winner::b, 2, 1)};
  CHECK(find_crossings({}, better).reason == "only B is shown to be faster, at 4K first");
  const std::vector<SizeEvidence> equal{evidence(8, Winner::nobody, 1, 1)};
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

TEST_CASE("a comparison's document has the crossing, and no number where there is none") {
  const Campaign campaign = campaign_of(12, 0, 1);
  const auto document = to_json(compare(campaign.a, campaign.b, {.origin = Origin::one_campaign}));
  const auto& crossover = document.at("crossovers").at(0);
  CHECK(crossover.at("operation") == "pingpong");
  CHECK(crossover.at("bytes").get<double>() == Approx(8000));
  CHECK(crossover.at("bytes_ci") == nlohmann::json{4096.0, 8192.0});
  CHECK(crossover.at("reason").is_null());
  CHECK(crossover.at("crossings").at(0).at("b_above") == "faster");
  const auto apart = to_json(compare(campaign.a, campaign.b)).at("crossovers").at(0);
  CHECK(apart.at("bytes").is_null());
  CHECK(apart.at("crossings").empty());
  CHECK_FALSE(apart.at("reason").is_null());
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
  CHECK(to_json(set).at("comparisons").at(0).at("paths") == nlohmann::json{"shm", "cma"});
}

}  // namespace hockney::verdicts
