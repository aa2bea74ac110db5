#include <catch2/catch.hpp>

#include "models/curves.hpp"
#include "report/rows.hpp"
#include "tests/support/each_node_records.hpp"
#include "tests/support/launches.hpp"
#include "verdicts/matching.hpp"

namespace hockney::report {

using Texts = std::vector<std::string>;

namespace {

/// One launch for each time, all of one point.
std::vector<Record> launches(const std::vector<double>& seconds) {
  std::vector<Record> records;
  for (const double time : seconds) {
    add_measured(records.emplace_back(launch_of("a")), simple_point("pingpong", 8), time);
  }
  return records;
}

/// "setting operation bytes" of each row.
Texts names(const std::vector<Row>& rows) {
  Texts texts;
  for (const Row& row : rows) {
    texts.push_back(row.setting + " " + row.point.operation + " " +
                    std::to_string(row.point.bytes.value));
  }
  return texts;
}

}  // namespace

TEST_CASE("nodes that measured themselves have rows of their own") {
  const std::vector<Row> rows =
      campaign_rows(launches_of_nodes({.nodes = 3, .launches = 2, .factor = 2}));
  CHECK(rows.size() == 27);  // nine sizes
  for (const Row& row : rows) {
    CHECK(row.launches.size() == 2);
    const double expected = 1.0005 * (1e-6 + static_cast<double>(row.point.bytes.value) * 1e-9);
    CHECK(row.median_seconds.value_or(0) ==
          Approx(host_of(row.point) == "h2" ? 2 * expected : expected));
  }
}

TEST_CASE("launches that ran on different hosts by chance are launches of one point") {
  std::vector<Record> records = ping_pongs(2);
  records[0].provenance.hosts = {{.name = "h0"}};
  records[1].provenance.hosts = {{.name = "h1"}};
  for (Record& record : records) name_host(record);
  const std::vector<Row> rows = campaign_rows(records);
  CHECK(rows.size() == 9);
  CHECK(rows.front().launches.size() == 2);
}

TEST_CASE("a row is the median over launches with its exact interval") {
  const std::vector<Row> rows = campaign_rows(launches({6, 1, 4, 3, 2, 5}));
  REQUIRE(rows.size() == 1);
  CHECK(seconds_of(rows[0].launches) == std::vector<double>{6, 1, 4, 3, 2, 5});
  CHECK(rows[0].median_seconds == 3.5);
  REQUIRE(rows[0].interval_seconds);
  CHECK(rows[0].interval_seconds->low == 1);
  CHECK(rows[0].interval_seconds->high == 6);
  CHECK(rows[0].interval_seconds->level == Approx(1 - 2.0 / 64));
  CHECK(rows[0].reason.empty());
}

TEST_CASE("mean, minimum and maximum are of all samples of all launches") {
  std::vector<Record> records = launches({1, 4});
  for (std::size_t i = 0; i < 2; ++i) {
    Series& series = records[i].series.front();
    series.samples_seconds = i == 0 ? std::vector<double>{1, 1, 10} : std::vector<double>{4};
    series.blocks = {static_cast<int>(series.samples_seconds.size())};
    series.summary = {};  // as of an older version
    drop_samples(series);
  }
  const std::vector<Row> rows = campaign_rows(records);
  CHECK(rows[0].mean_seconds == Approx(16.0 / 4));
  CHECK(rows[0].operations == 4);
  CHECK(rows[0].min_seconds == 1);
  CHECK(rows[0].max_seconds == 10);
  CHECK(rows[0].median_seconds == 2.5);
}

TEST_CASE("a higher level gives a wider interval") {
  const std::vector<Record> records = launches({1, 2, 3, 4, 5, 6, 7, 8, 1000});
  const std::vector<Row> rows = campaign_rows(records, 0.99);
  REQUIRE(rows[0].interval_seconds);
  CHECK(rows[0].interval_seconds->high == 1000);
}

TEST_CASE("a tail is the median over launches, when all of them tell it") {
  std::vector<Record> records = launches({1, 2, 3});
  for (std::size_t i = 0; i < 3; ++i) {
    TailQuantiles& tails = records[i].series.front().summary.tails;
    tails.p90_seconds = 10.0 * static_cast<double>(i + 1);
    if (i > 0) tails.p99_seconds = 50;
  }
  const std::vector<Row> rows = campaign_rows(records);
  CHECK(rows[0].tails.p90_seconds == 20.0);
  CHECK_FALSE(rows[0].tails.p99_seconds);
}

TEST_CASE("the ranks' own times are medians over visits, then extremes over ranks") {
  std::vector<Record> records = launches({1});
  Series& series = records[0].series.front();
  series.samples_seconds = {1, 1, 1};
  series.blocks = {1, 1, 1};
  series.noise_probes_seconds.clear();
  series.locals_seconds = {{1, 4}, {2, 5}, {9, 6}};
  const std::vector<Row> rows = campaign_rows(records);
  CHECK(rows[0].shortest_local_seconds == 2.0);
  CHECK(rows[0].longest_local_seconds == 5.0);
}

TEST_CASE("nine launches leave the extremes out of the interval") {
  const std::vector<Row> rows = campaign_rows(launches({1, 2, 3, 4, 5, 6, 7, 8, 1000}));
  CHECK(rows[0].median_seconds == 5.0);
  REQUIRE(rows[0].interval_seconds);
  CHECK(rows[0].interval_seconds->low == 2);
  CHECK(rows[0].interval_seconds->high == 8);
  CHECK(rows[0].interval_seconds->level == Approx(1 - 2 * (1 + 9) / 512.0));
}

TEST_CASE("five launches have no interval") {
  const std::vector<Row> rows = campaign_rows(launches({1, 2, 3, 4, 5}));
  CHECK(rows[0].median_seconds == 3.0);
  CHECK_FALSE(rows[0].interval_seconds);
}

TEST_CASE("only complete launches count") {
  std::vector<Record> records = launches({1, 2, 3});
  records[1].status = LaunchStatus::interrupted;
  records[2].status = LaunchStatus::failed;
  CHECK(seconds_of(campaign_rows(records)[0].launches) == std::vector<double>{1});
  records[0].status = LaunchStatus::failed;
  CHECK(campaign_rows(records).empty());
}

TEST_CASE("a point nobody measured is a row with the reason") {
  std::vector<Record> records(2, launch_of("a"));
  for (Record& record : records) {
    add_skipped(record, simple_point("pingpong", 64), "the pair does not exist");
  }
  add_skipped(records[0], simple_point("pingpong", 8), "budget spent");
  add_measured(records[1], simple_point("pingpong", 8), 2);
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(names(rows) == Texts{"a pingpong 8", "a pingpong 64"});
  CHECK(rows[0].median_seconds == 2.0);  // one launch did
  CHECK(rows[0].reason.empty());
  CHECK_FALSE(rows[1].median_seconds);
  CHECK(rows[1].launches.empty());
  CHECK(rows[1].reason == "the pair does not exist");
}

TEST_CASE("rows go by setting, curve in order of appearance, and bytes") {
  std::vector<Record> records;
  for (const char* setting : {"b", "a"}) {
    Record& record = records.emplace_back(launch_of(setting));
    add_measured(record, simple_point("ring", 64), 1);
    add_measured(record, simple_point("ring", 8), 1);
    add_measured(record, simple_point("bcast", 8), 1);
  }
  // A curve that only a later launch brings still belongs to its setting.
  add_measured(records.emplace_back(launch_of("b")), simple_point("alltoall", 8), 1);
  CHECK(names(campaign_rows(records)) == Texts{"b ring 8", "b ring 64", "b bcast 8", "b alltoall 8",
                                               "a ring 8", "a ring 64", "a bcast 8"});
}

TEST_CASE("points that differ in anything but the size are curves of their own") {
  Record record = launch_of("a");
  const Point plain = simple_point("pingpong", 8);
  Point hop = plain;
  hop.hop = "l3";
  Point pair = plain;
  pair.pair = {0, 1};
  Point window = plain;
  window.parameters["window"] = "64";
  for (const Point& point : {plain, hop, pair, window}) add_measured(record, point, 1);
  CHECK(campaign_rows(std::vector{record}).size() == 4);
}

TEST_CASE("hot caches are one row with records that do not name a cache state") {
  std::vector<Record> records{launch_of("a"), launch_of("a"), launch_of("a")};
  Point point = simple_point("pingpong", 8);
  add_measured(records[0], point, 1);
  point.parameters["cache"] = "hot";
  add_measured(records[1], point, 1);
  point.parameters["cache"] = "cold";
  add_measured(records[2], point, 1);
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].launches.size() == 2);
  CHECK(rows[1].point.parameters.at("cache") == "cold");
}

TEST_CASE("a launch outside campaigns has no setting") {
  Record record;
  add_measured(record, simple_point("pingpong", 8), 1);
  CHECK(campaign_rows(std::vector{record})[0].setting.empty());
}

TEST_CASE("a launch counts once, however many series of a point it has") {
  Record record = launch_of("a");
  for (const double time : {1.0, 9.0, 2.0}) {
    add_measured(record, simple_point("pingpong", 8), time);
  }
  const std::vector<Row> rows = campaign_rows(std::vector{record});
  REQUIRE(rows.size() == 1);
  CHECK(seconds_of(rows[0].launches) == std::vector<double>{2});
}

TEST_CASE("flags of a series reach its row, flags of a launch all rows of that launch") {
  std::vector<Record> records{launch_of("a"), launch_of("b"), launch_of("a")};
  add_measured(records[0], simple_point("pingpong", 8), 1, {"drifting"});
  add_measured(records[1], simple_point("pingpong", 8), 1);
  add_measured(records[2], simple_point("pingpong", 8), 1, {"drifting", "late"});
  add_measured(records[2], simple_point("pingpong", 64), 1);
  records[2].flags = {"oversubscribed"};
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(names(rows) == Texts{"a pingpong 8", "a pingpong 64", "b pingpong 8"});
  CHECK(rows[0].flags == Texts{"drifting", "late", "oversubscribed"});
  CHECK(rows[1].flags == Texts{"oversubscribed"});
  CHECK(rows[2].flags.empty());
}

TEST_CASE("bandwidth needs bytes and time") {
  Row row{.median_seconds = 2.0, .bytes_per_sample = 8};
  REQUIRE(row.bandwidth());
  CHECK(row.bandwidth()->value == 4);
  row.bytes_per_sample = 0;
  CHECK_FALSE(row.bandwidth());
  row.bytes_per_sample = 8;
  row.median_seconds = 0;
  CHECK_FALSE(row.bandwidth());
  row.median_seconds.reset();
  CHECK_FALSE(row.bandwidth());
}

TEST_CASE("tables, fits and comparisons have the same launch medians") {
  // Two sizes in two launches. The summary of one series contradicts its samples; one median is 0.
  std::vector<Record> records{launch_of("a"), launch_of("a")};
  for (Record& record : records) {
    for (const std::int64_t bytes : {8, 16}) {
      add_measured(record, simple_point("pingpong", bytes), 2);
    }
  }
  records[0].series[0].summary.median_seconds = 5;
  records[1].series[1].samples_seconds = {0, 0, 1};
  records[1].series[1].summary.median_seconds = 7;
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(rows.size() == 2);
  CHECK(seconds_of(rows[0].launches) == std::vector<double>{2, 2});
  CHECK(seconds_of(rows[1].launches) == std::vector<double>{2});
  const models::Curves curves = models::collect_curves(records);
  REQUIRE(curves.curves.size() == 1);
  using Cells = std::vector<std::optional<double>>;
  CHECK(curves.curves[0].medians_seconds == std::vector<Cells>{{2, 2}, {2, std::nullopt}});
  CHECK(curves.series_without_time == 1);
  const std::vector<verdicts::MatchedPoint> matched = verdicts::match_points(records, {});
  REQUIRE(matched.size() == 2);
  CHECK(matched[0].a.launches.size() == 2);
  REQUIRE(matched[1].a.launches.size() == 1);
  CHECK(matched[1].a.launches[0].seconds == 2);
}

TEST_CASE("a point whose medians are all zero has no time, and says why") {
  const std::vector<Row> rows = campaign_rows(launches({0, 0}));
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0].median_seconds);
  CHECK(rows[0].launches.empty());
  CHECK(rows[0].reason == "its median is 0: no time passed on the clock");
}

TEST_CASE("rows say from which records they come, and launches have rows of their own") {
  std::vector<Record> records = launches({3, 1, 2});
  records[1].status = LaunchStatus::interrupted;
  CHECK(campaign_rows(records)[0].records == std::vector<std::size_t>{0, 2});
  const std::vector<Row> rows = launch_rows(records);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].records == std::vector<std::size_t>{0});
  CHECK(rows[0].median_seconds == 3);
  CHECK(rows[1].records == std::vector<std::size_t>{2});
  CHECK(rows[1].median_seconds == 2);
  CHECK_FALSE(rows[1].interval_seconds);
}

}  // namespace hockney::report
