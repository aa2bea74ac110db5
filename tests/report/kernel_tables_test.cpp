#include <catch2/catch.hpp>
#include <sstream>

#include "core/samples.hpp"
#include "report/kernel_tables.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

Point halo_point(const std::string& points, const std::string& way, const std::string& work) {
  Point point = simple_point("halo", 512);
  point.parameters = {{"points", points}, {"way", way}, {"work", work}};
  return point;
}

/// A point whose ways take these times [us].
struct Times {
  double none, alone, after;
  std::optional<double> during{};
};

void add_way(Record& record, const std::string& points, const std::string& way, Times times,
             double drift) {
  const double microsecond = 1e-6 * drift;
  add_measured(record, halo_point(points, way, "none"), times.none * microsecond);
  add_measured(record, halo_point(points, way, "alone"), times.alone * microsecond);
  add_measured(record, halo_point(points, way, "after"), times.after * microsecond);
  if (!times.during) return;
  add_measured(record, halo_point(points, way, "during"), *times.during * microsecond);
}

/// Records of launches, each a tenth slower than the one before, with the points that `add` adds.
template <class Add>
std::vector<Record> launches_with(int count, Add add) {
  std::vector<Record> records;
  for (int launch = 1; launch <= count; ++launch) {
    Record& record = records.emplace_back(launch_of(""));
    record.campaign.reset();
    record.started_utc = "2026-01-01T00:00:0" + std::to_string(launch) + "Z";
    add(record, 1 + 0.1 * launch);
  }
  return records;
}

/// Small grids are bound by messages, large ones by computing.
std::vector<Record> kernel_launches(int count) {
  return launches_with(count, [](Record& record, double drift) {
    add_way(record, "8x8", "blocking", {.none = 6, .alone = 2, .after = 8}, drift);
    add_way(record, "8x8", "immediate", {.none = 4, .alone = 2, .after = 6, .during = 5}, drift);
    add_way(record, "64x64", "blocking", {.none = 6, .alone = 30, .after = 40}, drift);
    add_way(record, "64x64", "immediate", {.none = 5, .alone = 30, .after = 36, .during = 45},
            drift);
    add_measured(record, simple_point("barrier", 0), 1e-6);
  });
}

}  // namespace

TEST_CASE("ways of a kernel are held against the fastest, launch by launch") {
  const std::vector<KernelPoint> points = kernel_points(kernel_launches(6));
  REQUIRE(points.size() == 2);
  const KernelPoint& small = points[0];
  CHECK(small.point.parameters == std::map<std::string, std::string>{{"points", "8x8"}});
  CHECK(small.replicate == Replicate::launch);
  REQUIRE(small.fastest_way() != nullptr);
  CHECK(small.fastest_way()->way == "immediate");
  CHECK(small.fastest_way()->best == "during");
  CHECK(small.ways[0].best == "after");
  CHECK(*small.ways[0].to_fastest.value == Approx(8.0 / 5));
  CHECK(small.ways[0].to_fastest.interval->low == Approx(8.0 / 5));
  CHECK(*small.ways[0].in_mpi.value == Approx(1 - 2.0 / 8));
  CHECK_FALSE(small.ways[0].won.value);
  CHECK(*small.ways[1].won.value == Approx(1 - 5.0 / 6));
  CHECK(*small.ways[1].balance.value == Approx(2));
  CHECK(bound_of(small) == "communication");
  // Where computing in pieces is slower, the way counts with what it takes one after the other.
  CHECK(points[1].fastest_way()->best == "after");
  CHECK(*points[1].ways[1].won.value == Approx(1 - 45.0 / 36));
  CHECK(bound_of(points[1]) == "computing");
}

TEST_CASE("too few launches have no interval, and what bounds a kernel is not told") {
  const std::vector<KernelPoint> points = kernel_points(kernel_launches(3));
  CHECK(points[0].ways[0].to_fastest.value);
  CHECK_FALSE(points[0].ways[0].to_fastest.interval);
  CHECK(bound_of(points[0]).empty());
}

TEST_CASE("the blocks of one launch are replicates of their own") {
  std::vector<Record> records = kernel_launches(1);
  for (Series& series : records[0].series) {
    const double seconds = series.samples_seconds.front();
    series.samples_seconds.clear();
    series.blocks.assign(7, 1);
    for (int block = 0; block < 7; ++block) {
      series.samples_seconds.push_back(seconds * (1 + 0.01 * block));
    }
    series.summary = summarise(series);
  }
  const std::vector<KernelPoint> points = kernel_points(records);
  CHECK(points[0].replicate == Replicate::block);
  CHECK(*points[0].ways[0].to_fastest.value == Approx(8.0 / 5));
  CHECK(points[0].ways[0].to_fastest.interval);
  CHECK(bound_of(points[0]) == "communication");
  for (Series& series : records[0].series) drop_samples(series);
  const std::vector<KernelPoint> of_medians = kernel_points(records);
  CHECK(of_medians[0].replicate == Replicate::launch);
  CHECK(*of_medians[0].ways[0].to_fastest.value == Approx(8.0 / 5));
  CHECK_FALSE(of_medians[0].ways[0].to_fastest.interval);
}

TEST_CASE("a simulation tells what bounds a kernel without an interval") {
  std::vector<Record> records = kernel_launches(1);
  records[0].sync = Synchronisation{.scheme = "simulated"};
  const std::vector<KernelPoint> points = kernel_points(records);
  CHECK(points[0].replicate == Replicate::simulation);
  CHECK(bound_of(points[0]) == "communication");
  CHECK(bound_of(points[1]) == "computing");
}

TEST_CASE("the answer names the fastest way, its shares, and where its bound turns") {
  std::ostringstream out;
  print_kernel_tables(out, kernel_points(kernel_launches(6)));
  for (const char* const words :
       {"fastest: immediate, computing during: 6.75 us (5.50 .. 8.00)\n",
        "    blocking takes 1.60 times as long (1.60 .. 1.60)\n",
        "in MPI: 75.0 % (75.0 .. 75.0) of blocking's time",
        "overlap wins at most 16.7 % (16.7 .. 16.7), of immediate's",
        "bound by communication: messages alone take 2.00 times as long as computing alone",
        "turns from bound by communication to bound by computing between\n    halo ranks=2 "
        "points=8x8\n    halo ranks=2 points=64x64\n",
        "# intervals: over launches"}) {
    CHECK_THAT(out.str(), Catch::Contains(words));
  }
  std::ostringstream nothing;
  print_kernel_tables(nothing, {});
  CHECK(nothing.str().empty());
}

TEST_CASE("where intervals overlap nothing is called the fastest, and nothing is won") {
  std::ostringstream out;
  print_kernel_tables(out, kernel_points(launches_with(6, [](Record& record, double drift) {
                        // Which way is slower changes from launch to launch.
                        const double change = drift > 1.35 ? 1.05 : 0.98;
                        add_way(record, "8x8", "blocking", {2, 4, 6.0}, drift * change);
                        add_way(record, "8x8", "immediate", {2, 4, 6, 6.0006}, drift);
                      })));
  const std::string answer = out.str().substr(0, out.str().find("way "));
  CHECK_THAT(answer, Catch::Contains("no difference shown of "));
  CHECK_THAT(answer, Catch::Contains("overlap wins nothing"));
  CHECK_THAT(answer, !Catch::Contains("fastest:") && !Catch::Contains("times as long (0.9"));
  CHECK_THAT(answer, !Catch::Contains("-0.0"));
}

TEST_CASE(
    "a gain by overlap that may be none is bounded, and no gain without an interval is told") {
  std::ostringstream out;
  print_kernel_tables(out, kernel_points(launches_with(6, [](Record& record, double drift) {
                        const double gain = drift > 1.35 ? 0.98 : 1.01;
                        add_way(record, "8x8", "immediate", {2, 4, 6, 6 * gain}, drift);
                      })));
  CHECK_THAT(out.str(), Catch::Contains("no gain by overlap shown: at most 2.0 %, of immediate's"));
  std::ostringstream few;
  print_kernel_tables(few, kernel_points(launches_with(2, [](Record& record, double drift) {
                        add_way(record, "8x8", "blocking", {2, 4, 7.0}, drift);
                        add_way(record, "8x8", "immediate", {2, 4, 6, 5.0}, drift);
                      })));
  CHECK_THAT(few.str(), Catch::Contains("shortest: immediate, computing during") &&
                            Catch::Contains("(no interval: too few "));
}

TEST_CASE("messages or computing alone are told where nothing else was measured") {
  std::ostringstream out;
  print_kernel_tables(
      out, kernel_points(launches_with(6, [](Record& record, double drift) {
        const double microsecond = 1e-6 * drift;
        add_measured(record, halo_point("8x8", "blocking", "none"), 6 * microsecond);
        add_measured(record, halo_point("8x8", "immediate", "none"), 4 * microsecond);
        add_measured(record, halo_point("64x64", "immediate", "alone"), 30 * microsecond);
      })));
  CHECK_THAT(out.str(), Catch::Contains("    messages alone: immediate, 5.40 us (4.40 .. 6.40)\n"));
  CHECK_THAT(out.str(),
             Catch::Contains("    computing alone: immediate, 40.5 us (33.0 .. 48.0)\n"));
}

}  // namespace hockney::report
