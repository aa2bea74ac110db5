#include <catch2/catch.hpp>

#include "components/tune/verification.hpp"
#include "tests/support/tuned_campaign.hpp"

namespace hockney::tune {

TEST_CASE("shares of traffic are those of the tree, however often it was used") {
  const std::string linear =
      "# POINT TO POINT\nE\t0\t1\t8 bytes\t1 msgs sent\t0,1\nI\t0\t1\t992 bytes\t3 msgs sent\n"
      "I\t0\t2\t1000 bytes\t3 msgs sent\n# OSC\n";
  const TrafficFractions shares = traffic_fractions({linear, ""});
  REQUIRE(shares.size() == 2);
  CHECK(shares.at({0, 1}) == Approx(0.5));
  const TrafficFractions twice = traffic_fractions({linear + linear});
  CHECK(largest_difference(shares, twice) == Approx(0).margin(1e-12));
  const TrafficFractions chain = traffic_fractions(
      {"I\t0\t1\t1000 bytes\t3 msgs sent\n", "I\t1\t2\t1000 bytes\t3 msgs sent\n"});
  CHECK(largest_difference(shares, chain) == Approx(0.5));
  CHECK(traffic_fractions({"# nothing\n"}).empty());
}

namespace {

using Times = TunedCampaign::Times;

std::vector<Record> launches(const std::string& name, const Times& times, int count = 10) {
  return TunedCampaign(count).add(name, 0, times).records();
}

}  // namespace

TEST_CASE("gain and regret of a file, point by point") {
  const Verification found = verify({.base = launches("default", {{8, 10}, {64, 20}}),
                                     .tuned = launches("tuned", {{8, 5}, {64, 21}}),
                                     .forced = {{"a", launches("a", {{8, 4}, {64, 30}})},
                                                {"b", launches("b", {{8, 6}, {64, 25}})}}},
                                    {});
  REQUIRE(found.points.size() == 2);
  CHECK(found.points[0].comparison.ratio == Approx(0.5));
  CHECK_FALSE(found.points[0].slower);
  CHECK(found.points[0].best == "a");
  CHECK(*found.points[0].regret == Approx(0.25));
  REQUIRE(found.points[0].regret_interval);
  CHECK(found.points[0].regret_interval->low == Approx(0.25));
  CHECK(found.points[1].slower);
  CHECK(found.points[1].best == "default");
  CHECK(*found.points[1].regret == Approx(0.05));
  CHECK(found.slower == 1);
  CHECK(*found.mean_gain == Approx((0.5 - 0.05) / 2));
  CHECK(*found.mean_regret == Approx(0.15));
  CHECK(*found.largest_regret == Approx(0.25));
}

TEST_CASE("slower is what the launches show, or what a simulator says") {
  const auto slower = [](int count, Replication replication) {
    return verify({.base = launches("default", {{8, 10}}, count),
                   .tuned = launches("tuned", {{8, 11}}, count)},
                  {.replication = replication})
        .slower;
  };
  CHECK(slower(5, Replication::launches) == 0);  // 2/2^5 is above 0.05
  CHECK(slower(6, Replication::launches) == 1);
  CHECK(slower(1, Replication::exact) == 1);
}

TEST_CASE("no forced settings, no regret") {
  const Verification found =
      verify({.base = launches("default", {{8, 10}}), .tuned = launches("tuned", {{8, 5}})}, {});
  CHECK_FALSE(found.mean_regret);
  CHECK_FALSE(found.points[0].best);
}

TEST_CASE("a variable is in force when every launch proves it") {
  std::vector<Record> tuned = launches("tuned", {{8, 5}}, 2);
  for (Record& record : tuned) {
    record.provenance.mpi.requested = {{.variable = "V", .requested = "f", .proof = Proof::proven}};
  }
  CHECK(effect_of(tuned, {{"V", "f"}}).proof == Proof::proven);
  CHECK(effect_of(tuned, {{"V", "other"}}).proof == Proof::ignored);
  tuned.back().provenance.mpi.requested.front().proof = Proof::unproven;
  CHECK(effect_of(tuned, {{"V", "f"}}).proof == Proof::unproven);
  tuned.back().provenance.mpi.requested.clear();
  CHECK(effect_of(tuned, {{"V", "f"}}).proof == Proof::ignored);
}

}  // namespace hockney::tune
