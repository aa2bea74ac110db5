#include <catch2/catch.hpp>

#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/timed_launches.hpp"
#include "verdicts/matching.hpp"

namespace hockney::verdicts {
namespace {

Point pair_point(const std::vector<int>& pair, const std::optional<std::string>& hop = "l3") {
  Point point = simple_point("pingpong", 8);
  point.hop = hop;
  point.pair = pair;
  return point;
}

/// One launch in which pair i takes i + 1 seconds.
std::vector<Record> launch_with(const std::vector<Point>& points) {
  Record record = launch_of("x");
  double seconds = 0;
  for (const Point& point : points) add_measured(record, point, seconds += 1);
  return {record};
}

}  // namespace

TEST_CASE("the same pairs of a hop class are compared pair by pair") {
  const auto a = launch_with({pair_point({0, 1}), pair_point({2, 3})});
  const auto matched = match_points(a, a);
  REQUIRE(matched.size() == 2);
  CHECK(matched[0].point.pair == std::vector{0, 1});
  CHECK(matched[0].a.launches.at(0).seconds == 1);
  CHECK(matched[1].point.pair == std::vector{2, 3});
  CHECK(matched[1].b.launches.at(0).seconds == 2);
  CHECK(matched[1].b.pairs == 1);
}

TEST_CASE("different pairs of a hop class are pooled within a launch") {
  const auto a = launch_with({pair_point({0, 1}), pair_point({2, 3})});
  const auto b = launch_with({pair_point({4, 5})});
  const auto matched = match_points(a, b);
  REQUIRE(matched.size() == 1);
  CHECK(matched[0].point.pair.empty());
  CHECK(matched[0].a.launches.at(0).seconds == 1.5);
  CHECK(matched[0].a.pairs == 2);
  CHECK(matched[0].b.launches.at(0).seconds == 1);
}

TEST_CASE("without a hop class pairs stay apart") {
  const auto a = launch_with({pair_point({0, 1}, std::nullopt)});
  const auto b = launch_with({pair_point({2, 3}, std::nullopt)});
  const auto matched = match_points(a, b);
  REQUIRE(matched.size() == 2);
  CHECK(matched[0].b.launches.empty());
  CHECK(matched[1].a.launches.empty());
}

TEST_CASE("points differ in anything that may change their time") {
  const Point base = pair_point({0, 1});
  std::vector<Point> others(4, base);
  others[0].operation = "exchange";
  others[1].bytes = {16};
  others[2].ranks = 4;
  others[3].parameters = {{"window", "64"}};
  for (const Point& other : others) {
    CHECK(match_points(launch_with({base}), launch_with({other})).size() == 2);
  }
}

TEST_CASE("the path is what was found: points match whatever it is, and keep it if it is one") {
  Point shm = pair_point({0, 1});
  shm.path = "shm";
  Point tcp = shm;
  tcp.path = "tcp";
  const auto differing = match_points(launch_with({shm}), launch_with({tcp}));
  REQUIRE(differing.size() == 1);
  CHECK_FALSE(differing[0].point.path);
  CHECK(differing[0].a.path == "shm");
  CHECK(differing[0].b.path == "tcp");
  CHECK(match_points(launch_with({shm}), launch_with({shm})).at(0).point.path == "shm");
}

TEST_CASE("points match whatever algorithm ran: that is what settings are compared for") {
  Point ring = pair_point({0, 1});
  ring.algorithm = "ring";
  Point tree = ring;
  tree.algorithm = "tree";
  const auto matched = match_points(launch_with({ring}), launch_with({tree}));
  REQUIRE(matched.size() == 1);
  CHECK_FALSE(matched.front().point.algorithm);
}

TEST_CASE("records that do not name a cache state match hot ones, and only those") {
  const Point old = pair_point({0, 1});
  Point hot = old;
  hot.parameters = {{"cache", "hot"}};
  Point cold = old;
  cold.parameters = {{"cache", "cold"}};
  CHECK(match_points(launch_with({old}), launch_with({hot})).size() == 1);
  CHECK(match_points(launch_with({hot}), launch_with({old})).size() == 1);
  CHECK(match_points(launch_with({old}), launch_with({cold})).size() == 2);
  CHECK(match_points(launch_with({hot}), launch_with({cold})).size() == 2);
}

TEST_CASE("points come by curve in order of appearance and by bytes") {
  const auto a = launch_with({simple_point("z", 64), simple_point("z", 8), simple_point("a", 8)});
  const auto matched = match_points(a, launch_with({simple_point("b", 1)}));
  REQUIRE(matched.size() == 4);
  CHECK(matched[0].point == simple_point("z", 8));
  CHECK(matched[1].point == simple_point("z", 64));
  CHECK(matched[2].point.operation == "a");
  CHECK(matched[3].point.operation == "b");
}

TEST_CASE("a launch counts with its calm visits") {
  Record record = launch_of("x");
  const Point point = simple_point("pingpong", 8);
  record.series.push_back({.point = point,
                           .samples_seconds = {1, 1, 1, 9, 9, 9, 9, 9},
                           .blocks = {3, 5},
                           .noise_probes_seconds = {1e-6, 2e-6}});
  const std::vector<Record> records{record};
  CHECK(match_points(records, records).at(0).a.launches.at(0).seconds == 1);
}

TEST_CASE("points timed as another suite would match only each other") {
  const auto matched = match_points(timed_launches(3, "a"), timed_launches(3, "b"));
  REQUIRE(matched.size() == 3);
  for (const MatchedPoint& point : matched) {
    REQUIRE(point.a.launches.size() == 3);
    REQUIRE(point.b.launches.size() == 3);
    CHECK(point.a.launches[2].seconds == point.b.launches[2].seconds);
  }
  CHECK(matched[1].point.parameters.at("timing") == "osu");
  CHECK(matched[1].a.launches[2].seconds == Approx(1.5e-6));
}

TEST_CASE("imported figures are means, and are compared with means of all samples") {
  std::vector<Record> imported = launch_with({pair_point({0, 1})});
  imported.front().stopped_because = imported_reason;
  std::vector<Record> own = launch_with({pair_point({0, 1})});
  Series& series = own.front().series.front();
  series.samples_seconds = {1, 1, 7};  // the last one beside another program
  series.blocks = {1, 1, 1};
  series.noise_probes_seconds = {1, 1, 2};
  series.summary = summarise(series);
  CHECK_FALSE(compares_means(own, own));
  CHECK(match_points(own, own).at(0).b.launches.at(0).seconds == 1);
  CHECK(compares_means(imported, own));
  CHECK(match_points(imported, own).at(0).b.launches.at(0).seconds == 3);
  CHECK(match_points(own, imported).at(0).a.launches.at(0).seconds == 3);
  drop_samples(series);
  CHECK(match_points(own, imported).at(0).a.launches.at(0).seconds == 3);
}

}  // namespace hockney::verdicts
