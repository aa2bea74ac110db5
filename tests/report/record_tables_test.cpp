#include <catch2/catch.hpp>
#include <sstream>

#include "report/record_tables.hpp"
#include "report/rows.hpp"
#include "tests/report/printed_tables.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/timed_launches.hpp"

namespace hockney::report {
namespace {

/// A core that loses so much in each part of its recording, with periods of these seconds.
CoreNoise noise_of(int rank, const std::vector<double>& stolen,
                   const std::optional<std::vector<double>>& periods = std::nullopt) {
  CoreNoise noise{.rank = rank,
                  .recorded_seconds = 2,
                  .work_seconds = 5e-6,
                  .limit_seconds = 6e-6,
                  .stolen = stolen,
                  .interruptions_per_second = std::vector<double>(10, 250),
                  .interruptions = 500,
                  .median_seconds = 3e-6,
                  .longest_seconds = 90e-6};
  if (!periods) return noise;
  noise.periods.emplace();
  for (const double period : *periods) {
    noise.periods->push_back({.period_seconds = period, .false_alarm = 1e-9, .share = 0.5});
  }
  return noise;
}

Record recorded_launch(const std::vector<CoreNoise>& noise) {
  Record record = launch_of("");
  for (const CoreNoise& one : noise) {
    record.ranks.push_back({.rank = one.rank, .host = "h", .actual_cpus = {one.rank + 4}});
  }
  record.noise = noise;
  return record;
}

std::string printed_noise(const std::vector<Record>& records) {
  std::ostringstream out;
  print_noise_tables(out, records);
  return out.str();
}

}  // namespace

TEST_CASE("the noise of one launch has intervals over the parts of its recording") {
  const std::vector<double> quiet{0.001, 0.002, 0.003, 0.004, 0.005,
                                  0.006, 0.007, 0.008, 0.009, 0.01};
  const std::string text = printed_noise({recorded_launch(
      {noise_of(0, quiet, std::vector<double>{}),
       noise_of(1, std::vector<double>(10, 0.2), std::vector<double>{4e-3, 0.01})})});
  CHECK_THAT(text, Catch::StartsWith("# noise: fixed work takes 20.0 % (20.0 .. 20.0) longer than "
                                     "undisturbed on h CPU 5, 10.3 % on the core in the middle of "
                                     "2\n"));
  // Of ten the interval of the median at 95 % is from the second to the ninth.
  CHECK_THAT(text, Catch::Contains("h CPU 4     0.5500  0.2000 .. 0.9000"));
  CHECK_THAT(text, Catch::Contains("4.00 (50 %), 10.0 (50 %)\n"));
  CHECK_THAT(text, Catch::Contains("  none\n"));
  CHECK_THAT(text, Catch::Contains("over the tenths of the recording"));
  CHECK(text.find("CPU 5") < text.find("CPU 4"));  // the noisiest first
}

TEST_CASE(
    "the noise of several launches has intervals over launches, and periods of most of them") {
  std::vector<Record> records;
  for (int launch = 1; launch <= 6; ++launch) {
    std::vector<double> periods{4e-3 * (1 + 1e-3 * launch)};
    if (launch < 3) periods.push_back(0.02);
    records.push_back(recorded_launch(
        {noise_of(0, std::vector<double>(10, 0.01 * launch), std::vector(periods))}));
  }
  const std::string text = printed_noise(records);
  CHECK_THAT(text, Catch::StartsWith("# noise: fixed work takes 3.50 % (1.00 .. 6.00) longer"));
  CHECK_THAT(text, Catch::Contains("4.00 (50 %)\n"));
  CHECK_THAT(text, Catch::Contains("over launches\n"));
  CHECK(text.find("in the middle") == std::string::npos);  // of one core
}

TEST_CASE("too few interruptions are told from none, and quiet cores are left to the record") {
  std::vector<CoreNoise> many;
  for (int rank = 0; rank < 12; ++rank) {
    many.push_back(noise_of(rank, std::vector<double>(10, 0.01)));
  }
  const std::string text = printed_noise({recorded_launch(many)});
  CHECK_THAT(text, Catch::Contains("       1  -\n"));
  CHECK_THAT(text, Catch::Contains("# 2 quieter cores: in the record\n"));
  CHECK(printed_noise({launch_of("")}).empty());
}

TEST_CASE("times beside neighbours and on other pages are held to those without") {
  Record record = launch_of("");
  const auto point = [](const char* operation, const char* parameter, const char* value) {
    Point made = simple_point(operation, 4096);
    made.parameters[parameter] = value;
    return made;
  };
  add_measured(record, point("neighbour-work", "neighbours", "idle"), 2);
  add_measured(record, point("neighbour-work", "neighbours", "streaming"), 5);
  add_measured(record, point("page-touch", "pages", "same"), 4);
  add_measured(record, point("page-touch", "pages", "fresh"), 6);
  const std::vector<Record> records{record};
  const auto beside = disturbed_rows(campaign_rows(records), busy_neighbours);
  REQUIRE(beside.size() == 1);
  CHECK(beside[0].value == "streaming");
  CHECK(beside[0].factor == 2.5);
  const auto moved = disturbed_rows(campaign_rows(records), other_pages);
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].factor == 1.5);
  CHECK(disturbed_rows(campaign_rows(records), met_flows).empty());
}

namespace {

const std::string ratio_note =
    "# ratio: of the times of one launch, median over launches; docs/reference/osu-and-imb.md says "
    "what each "
    "suite "
    "times\n";

}  // namespace

TEST_CASE("timings of a curve stand side by side, curves without them as ever") {
  auto records = timed_launches(6);
  for (Record& record : records) {
    add_measured(record, simple_point("barrier", 0), 1e-6);
    add_skipped(record, simple_point("allreduce", 12), "no whole number");
    add_skipped(record, timed_like("osu", simple_point("allreduce", 12)), "no whole number");
  }
  records[1].series[1].flags = {"memory-differs"};
  CHECK(printed_tables(records) == R"(# setting default  barrier ranks=2
# size[B]  time[us]    interval[us]  +-[%]  launches
        0     1.000  1.000 .. 1.000  0.000         6
# interval: of the median over launches, 96.9 % confidence

# setting default  allreduce ranks=2
# size[B]  hockney[us]    interval[us]  osu[us]  osu/hockney          interval  imb[us]  imb/hockney        interval  launches
        8        3.500  1.000 .. 6.000    1.750       0.5000  0.5000 .. 0.5000    5.250        1.500  1.500 .. 1.500         6  memory-differs
       12            -               -        -            -                 -        -            -               -         0  not measured (no whole number)
)" + ratio_note + R"(# interval: of the median over launches, 96.9 % confidence

)");
}

TEST_CASE("a launch by itself has ratios without intervals") {
  auto records = timed_launches(1);
  records[0].campaign.reset();
  CHECK(printed_tables(records) == R"(# allreduce ranks=2
# size[B]  hockney[us]  osu[us]  osu/hockney  imb[us]  imb/hockney  launches
        8        1.000   0.5000       0.5000    1.500        1.500         1
)" + ratio_note + R"(# no interval: it comes from launches, and needs 6 of them

)");
}

TEST_CASE("what one suite lacks is a dash") {
  Record record = launch_of("a");
  const Point small = simple_point("bcast", 8);
  const Point large = simple_point("bcast", 16);
  add_measured(record, small, 1e-6);
  add_measured(record, large, 2e-6);
  add_measured(record, timed_like("imb", large), 3e-6);
  add_skipped(record, timed_like("imb", small), "it was not reached before budget spent");
  CHECK(printed_tables({record}) == R"(# setting a  bcast ranks=2
# size[B]  hockney[us]  imb[us]  imb/hockney  launches
        8        1.000        -            -         1
       16        2.000    3.000        1.500         1
)" + ratio_note + R"(# no interval: it comes from launches, and needs 6 of them

)");
}

TEST_CASE("disturbed visits of every timing are told") {
  auto records = timed_launches(1);
  for (Series& series : records[0].series) {
    series.blocks = {1, 1, 1};
    series.noise_probes_seconds = {5e-6, 9e-6, 5e-6};
  }
  CHECK_THAT(printed_tables(records), Catch::Contains("\n# disturbed: 3 of 9 blocks do not count"));
}

}  // namespace hockney::report
