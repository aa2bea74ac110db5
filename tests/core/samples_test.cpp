#include <catch2/catch.hpp>

#include "core/samples.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/launches.hpp"

namespace hockney {

using Times = std::vector<double>;

namespace {

const Record healthy;  // without flags

Series pingpong_series(const std::vector<double>& samples) {
  Series series{.point = simple_point("pingpong", 8),
                .samples_seconds = samples,
                .blocks = std::vector<int>(samples.size(), 1)};
  series.summary = summarise(series);
  return series;
}

}  // namespace

TEST_CASE("a launch median is that of the samples, whatever the summary says") {
  Series series = pingpong_series({1, 2, 9});
  series.summary.median_seconds = 5;
  CHECK(launch_median(healthy, series) == 2.0);
  series.summary.median_seconds.reset();
  CHECK(launch_median(healthy, series) == 2.0);
  CHECK(why_no_median(healthy, series).empty());
}

TEST_CASE("a launch median is that of the samples that count, kept when samples are dropped") {
  Series series = pingpong_series({8, 1, 2, 3});
  series.warm_up_blocks = 1;
  CHECK(launch_median(healthy, series) == 2.0);
  drop_samples(series);
  CHECK(launch_median(healthy, series) == 2.0);
}

TEST_CASE("a median of zero is no time, and neither is no sample") {
  const Series zero = pingpong_series({0, 0, 1});
  CHECK_FALSE(launch_median(healthy, zero));
  CHECK(why_no_median(healthy, zero) == "its median is 0: no time passed on the clock");
  Series none = pingpong_series({});
  none.summary.median_seconds = 5;
  CHECK_FALSE(launch_median(healthy, none));
  CHECK(why_no_median(healthy, none) == "none of its samples counts");
}

TEST_CASE("a launch counts once at a point, with the path that all of its series have") {
  PointLaunches launches;
  launches.add(4, 7, "shm");
  for (const double seconds : {1.0, 9.0, 2.0}) launches.add(2, seconds, "cma");
  launches.add(3, 5, "cma");
  launches.add(3, 6, "shm");
  CHECK(launches.medians() ==
        std::vector<LaunchMedian>{{2, 2, "cma"}, {3, 5.5, std::nullopt}, {4, 7, "shm"}});
  CHECK(launches.seconds() == Times{2, 5.5, 7});
  CHECK(PointLaunches().medians().empty());
}

TEST_CASE("ratios are taken launch by launch, where both have a time") {
  const std::vector<LaunchMedian> times{{0, 2, {}}, {1, 3, {}}, {5, 8, {}}};
  const std::vector<LaunchMedian> references{{1, 6, {}}, {3, 1, {}}, {5, 4, {}}};
  CHECK(launch_ratios(times, references) == Times{0.5, 2});
  CHECK(seconds_in(times, 5) == 8.0);
  CHECK_FALSE(seconds_in(times, 2));
  CHECK_FALSE(seconds_in(times, 6));
}

TEST_CASE("series with times are those of complete launches, and what is left out is counted") {
  std::vector<Record> records{launch_of("a"), launch_of("b"), Record{}};
  add_measured(records[0], simple_point("pingpong", 8), 1);
  add_measured(records[1], simple_point("pingpong", 8), 2);
  add_measured(records[2], simple_point("pingpong", 8), 0);
  add_measured(records[2], simple_point("pingpong", 16), 3);
  records[0].status = LaunchStatus::interrupted;
  const TimedRecords timed = timed_series(records);
  CHECK(timed.records_used == 2);
  CHECK(timed.records_left_out == 1);
  CHECK(timed.series_without_time == 1);
  REQUIRE(timed.series.size() == 2);
  CHECK(timed.series[0].launch == 1);
  CHECK(timed.series[0].setting() == "b");
  CHECK(timed.series[0].seconds == 2);
  CHECK(timed.series[1].launch == 2);
  CHECK(timed.series[1].record == &records[2]);
  CHECK(timed.series[1].series == &records[2].series[1]);
  CHECK(timed.series[1].setting().empty());
}

namespace {

std::vector<PlannedPoint> three_points() {
  return {
      {.point = example_point(8), .bytes_per_sample = 16},
      {.point = example_point(64), .bytes_per_sample = 128},
      {.point = example_point(512), .status = PointStatus::failed, .reason = "wrong data arrived"}};
}

}  // namespace

TEST_CASE("visits in any order become one series a point") {
  SampleStore store(three_points());
  store.add({.point = 1, .batch = 5, .samples_seconds = {3, 1}, .flags = {"drifting"}});
  store.add({.point = 0, .batch = 7, .samples_seconds = {9}});
  store.add({.point = 1, .batch = 5, .samples_seconds = {2}, .flags = {"drifting", "late"}});
  const std::vector<Series> series = store.series();
  REQUIRE(series.size() == 2);
  CHECK(series[0].point == example_point(8));
  CHECK(series[0].samples_seconds == std::vector<double>{9});
  CHECK(series[0].bytes_per_sample == 16);
  CHECK(series[0].batch == 7);
  CHECK(series[1].point == example_point(64));
  CHECK(series[1].samples_seconds == std::vector<double>{3, 1, 2});
  CHECK(series[1].blocks == std::vector<int>{2, 1});
  CHECK(series[1].flags == std::vector<std::string>{"drifting", "late"});
  CHECK(series[1].summary.median_seconds == 2.0);
}

TEST_CASE("a point without a sample is skipped for a reason") {
  SampleStore store(three_points());
  store.add({.point = 0, .samples_seconds = {1}});
  store.add({.point = 1, .samples_seconds = {}});
  const std::vector<PlannedPoint> points = store.points("budget spent");
  REQUIRE(points.size() == 3);
  CHECK(points[0].status == PointStatus::measured);
  CHECK(points[0].reason.empty());
  CHECK(points[1].status == PointStatus::skipped);
  CHECK(points[1].reason == "budget spent");
  CHECK(points[2].status == PointStatus::failed);
  CHECK(points[2].reason == "wrong data arrived");
  CHECK(store.series().size() == 1);
}

TEST_CASE("checks bring deliveries and flags, and no visit") {
  SampleStore store(three_points());
  store.add({.point = 0, .batch = 3, .samples_seconds = {1}, .deliveries_checked = 1});
  store.add({.point = 0, .deliveries_checked = 150, .is_check = true, .flags = {"corrupt"}});
  store.add({.point = 1, .samples_seconds = {1}, .deliveries_checked = 8});
  const std::vector<Series> series = store.series();
  CHECK(series[0].deliveries_checked == 151);
  CHECK(series[0].blocks == std::vector<int>{1});
  CHECK(series[0].batch == 3);
  CHECK(series[0].flags == std::vector<std::string>{"corrupt"});
  CHECK(series[1].deliveries_checked == 8);
  CHECK(series[1].flags.empty());
}

TEST_CASE("a point with wrong data and no sample has failed") {
  SampleStore store(three_points());
  store.add({.point = 0, .samples_seconds = {}, .late_starts = 20, .flags = {"corrupt"}});
  const std::vector<PlannedPoint> points = store.points("budget spent");
  CHECK(points[0].status == PointStatus::failed);
  CHECK(points[0].reason == "wrong data were received");
}

TEST_CASE("a point whose every start was late says so") {
  SampleStore store(three_points());
  store.add({.point = 0, .samples_seconds = {}, .late_starts = 20});
  store.add({.point = 0, .samples_seconds = {}, .late_starts = 10});
  const std::vector<PlannedPoint> points = store.points("budget spent");
  CHECK(points[0].status == PointStatus::skipped);
  CHECK(points[0].reason ==
        "some rank missed every start, 30 of them; the cores are busy with something else");
  CHECK(points[1].reason == "budget spent");
}

TEST_CASE("a block in which a clock jumped leaves its flag alone") {
  SampleStore store(three_points());
  const MeasurementBlock jumped{.point = 0, .is_check = true, .flags = {"clock-jumped"}};
  store.add({.point = 1, .samples_seconds = {1, 2}, .started_seconds = 3});
  store.add(jumped);
  store.add({.point = 0, .samples_seconds = {4}, .started_seconds = 5});
  const std::vector<Series> series = store.series();
  REQUIRE(series.size() == 2);
  CHECK(series[0].flags == std::vector<std::string>{"clock-jumped"});
  CHECK(series[0].blocks == std::vector<int>{1});
  CHECK(series[0].starts_seconds == std::vector<double>{5});
  SampleStore without(three_points());
  without.add(jumped);
  CHECK(without.points("budget spent")[0].reason == "a clock jumped in every block of it");
}

TEST_CASE("a summary knows what it does not know") {
  CHECK(summarise(Series{}) == Summary{});
  const Summary one = summarise(Series{.samples_seconds = {4}, .blocks = {1}});
  CHECK(one.median_seconds == 4.0);
  CHECK(one.minimum_seconds == 4.0);
  CHECK(one.maximum_seconds == 4.0);
  CHECK(one.mean_seconds == 4.0);
  CHECK_FALSE(one.within_seconds);
  CHECK_FALSE(one.effective_samples);
  CHECK_FALSE(one.undisturbed_blocks);
}

TEST_CASE("rounding does not put the mean of equal samples above them") {
  const Summary three = summarise(Series{.samples_seconds = {0.1, 0.1, 0.1}, .blocks = {3}});
  CHECK(three.mean_seconds == 0.1);
}

TEST_CASE("a summary of six samples has an interval") {
  const Summary six = summarise(Series{.samples_seconds = {6, 1, 4, 3, 2, 5}, .blocks = {6}});
  CHECK(six.median_seconds == 3.5);
  REQUIRE(six.within_seconds);
  CHECK(six.within_seconds->low == 1);
  CHECK(six.within_seconds->high == 6);
  CHECK(six.within_seconds->level == Approx(1 - 2.0 / 64));
}

TEST_CASE("the median is that of calm visits, the mean and the extremes are those of all") {
  SampleStore store(three_points());
  store.add({.point = 0, .samples_seconds = {1, 2, 3}, .noise_probe_seconds = 5.0});
  store.add({.point = 0, .samples_seconds = {70, 80}, .noise_probe_seconds = 9.0});
  store.add({.point = 0, .samples_seconds = {4, 90}, .noise_probe_seconds = 5.4});
  const Series series = store.series().front();
  CHECK(series.noise_probes_seconds == std::vector<double>{5, 9, 5.4});
  CHECK(series.summary.undisturbed_blocks == 2);
  CHECK(series.summary.median_seconds == 3.0);
  CHECK(series.summary.minimum_seconds == 1.0);
  CHECK(series.summary.maximum_seconds == 90.0);
  CHECK(series.summary.mean_seconds == Approx(250.0 / 7));
}

TEST_CASE("page faults are those of the visits that count") {
  SampleStore store(three_points());
  store.add({.point = 0, .samples_seconds = {1}, .noise_probe_seconds = 5.0, .page_faults = 3.0});
  store.add({.point = 0, .samples_seconds = {2}, .noise_probe_seconds = 9.0, .page_faults = 80.0});
  store.add({.point = 0, .samples_seconds = {3}, .noise_probe_seconds = 5.4, .page_faults = 4.0});
  store.add({.point = 1, .samples_seconds = {1}, .noise_probe_seconds = 5.0});
  const std::vector<Series> series = store.series();
  CHECK(series[0].page_faults == std::vector<double>{3, 80, 4});
  CHECK(series[0].summary.page_faults == 3.5);
  CHECK_FALSE(series[1].summary.page_faults);
}

TEST_CASE("the first epochs of a launch that was slow to settle do not count") {
  SampleStore store(three_points());
  for (int epoch = 0; epoch < 8; ++epoch) {
    const double sample = epoch == 0 ? 3.0 : 1.0;
    store.add({.point = 0, .samples_seconds = {sample}, .started_seconds = 0.5 * epoch});
  }
  const Series series = store.series().front();
  CHECK(series.warm_up_blocks == 1);
  CHECK(series.starts_seconds == std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5});
  CHECK(series.summary.median_seconds == 1.0);
  CHECK(series.summary.maximum_seconds == 3.0);
}

TEST_CASE("the widest median inside a launch is known when every point has one") {
  SampleStore store({{.point = {.operation = "a"}},
                     {.point = {.operation = "b"}},
                     {.point = {.operation = "c"}, .status = PointStatus::skipped}});
  CHECK_FALSE(store.widest_within());
  store.add({.point = 0, .samples_seconds = std::vector<double>(20, 2.0)});
  CHECK_FALSE(store.widest_within());
  const std::vector<double> spread{1, 3, 2, 5, 4, 7, 6, 9, 8, 10};
  store.add({.point = 1, .samples_seconds = spread});
  REQUIRE(store.widest_within());
  CHECK(*store.widest_within() == Approx(1.96 * *median_error(spread) / 5.5));
}

}  // namespace hockney
