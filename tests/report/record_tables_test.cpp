#include "report/record_tables.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/report/printed_tables.hpp"
#include "tests/support/timed_launches.hpp"

namespace hockney::report {
namespace {

const std::string ratio_note =
    "# ratio: of the times of one launch, median over launches; docs/suites.md says what each "
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
#   bytes    time[us]          interval[us]     +-%        MB/s  launches
        0       1.000        1.000 .. 1.000     0.0           -         6
# interval: of the median over launches, 96.9 % confidence

# setting default  allreduce ranks=2
#   bytes  hockney[us]          interval[us]      osu[us]  osu/hockney          interval      imb[us]  imb/hockney          interval  launches
        8        3.500        1.000 .. 6.000        1.750        0.500    0.500 .. 0.500        5.250         1.50      1.50 .. 1.50         6  memory-differs
       12  not measured (no whole number)
)" + ratio_note + R"(# interval: of the median over launches, 96.9 % confidence

)");
}

TEST_CASE("a launch by itself has ratios without intervals") {
  auto records = timed_launches(1);
  records[0].campaign.reset();
  CHECK(printed_tables(records) == R"(# allreduce ranks=2
#   bytes  hockney[us]          interval[us]      osu[us]  osu/hockney          interval      imb[us]  imb/hockney          interval  launches
        8        1.000                     -       0.5000        0.500                 -        1.500         1.50                 -         1
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
#   bytes  hockney[us]          interval[us]      imb[us]  imb/hockney          interval  launches
        8        1.000                     -            -            -                 -         1
       16        2.000                     -        3.000         1.50                 -         1
)" + ratio_note + R"(# no interval: it comes from launches, and needs 6 of them

)");
}

TEST_CASE("disturbed visits of every timing are told") {
  auto records = timed_launches(1);
  for (Series& series : records[0].series) {
    series.blocks = {1, 1, 1};
    series.noise_probes_seconds = {5e-6, 9e-6, 5e-6};
  }
  CHECK_THAT(printed_tables(records), Catch::Contains("\n# disturbed: 3 of 9 visits do not count"));
}

}  // namespace hockney::report
