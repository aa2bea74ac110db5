#include "core/launch_medians.hpp"

#include <catch2/catch.hpp>

#include "core/samples.hpp"
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

}  // namespace hockney
