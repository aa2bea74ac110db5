#include "report/size_table.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

/// Launches of an operation at the sizes 1, 2, 4 ...; size n takes n us, in the last launch 2 n.
std::vector<Record> launches_of(const std::vector<std::string>& operations, int sizes,
                                int launches) {
  std::vector<Record> records;
  for (int launch = 0; launch < launches; ++launch) {
    Record& record = records.emplace_back(launch_of("default"));
    const double factor = launch + 1 == launches ? 2e-6 : 1e-6;
    for (const std::string& operation : operations) {
      for (int size = 0; size < sizes; ++size) {
        const std::int64_t bytes = std::int64_t{1} << size;
        add_measured(record, simple_point(operation, bytes), factor * static_cast<double>(bytes));
      }
    }
  }
  return records;
}

std::vector<Row> rows_of(const std::vector<std::string>& operations, int sizes, int launches) {
  return campaign_rows(launches_of(operations, sizes, launches));
}

}  // namespace

TEST_CASE("each size has its time, range, minimum, mean, maximum and bandwidth") {
  CHECK(size_tables(rows_of({"pingpong"}, 3, 3), 20) ==
        Lines{"size  time[us]         range   min  mean   max  bandwidth",
              "   1      1.00  1.00 .. 2.00  1.00  1.33  2.00  1.00 MB/s",
              "   2      2.00  2.00 .. 4.00  2.00  2.67  4.00  1.00 MB/s",
              "   4      4.00  4.00 .. 8.00  4.00  5.33  8.00  1.00 MB/s",
              "time: median of undisturbed samples; min, mean, max: of all samples"});
}

TEST_CASE("six launches have an interval, one has neither that nor a range") {
  CHECK(size_tables(rows_of({"bcast"}, 1, 6), 20).front().find("  interval  ") !=
        std::string::npos);
  CHECK(size_tables(rows_of({"bcast"}, 1, 1), 20).front().find("range") == std::string::npos);
}

TEST_CASE("p99 is a column where it is known") {
  std::vector<Row> rows = rows_of({"bcast"}, 2, 2);
  rows[1].tails.p99_seconds = 7e-6;
  const Lines lines = size_tables(rows, 20);
  CHECK(lines[0].find("p99") != std::string::npos);
  CHECK(lines[2].find(" 7.00") != std::string::npos);
}

TEST_CASE("sizes are thinned evenly, and the smallest and the largest stay") {
  const Lines lines = size_tables(rows_of({"pingpong"}, 23, 2), 16);
  REQUIRE(lines.size() == 1 + 12 + 2);
  CHECK(lines[1].starts_with("   1 "));
  CHECK(lines[2].starts_with("   4 "));
  CHECK(lines[12].starts_with("  4M "));
  CHECK(lines.back() == "... 11 more sizes: --all");
}

TEST_CASE("two operations share the lines, each under its name; four have no tables") {
  const Lines lines = size_tables(rows_of({"bcast", "pingpong"}, 23, 2), 20);
  CHECK(lines.size() <= 20);
  CHECK(lines.front() == "bcast");
  CHECK(std::ranges::count(lines, "pingpong") == 1);
  CHECK(size_tables(rows_of({"a", "b", "c", "d"}, 3, 2), 20).empty());
  CHECK(size_tables(std::vector<Row>{}, 20).empty());
}

TEST_CASE("remarks give way to sizes: 24 lines of 80 columns hold all of twelve") {
  Screen screen{.faults = {},
                .header = {"host  processor  library", "campaign"},
                .answer = {"cut"},
                .verdict = "verdict",
                .reliability = Lines(9, "a remark of a few words that nobody misses for long"),
                .next = {{"one", "1"}, {"two", "2"}, {"three", "3"}}};
  put_sizes(screen, rows_of({"pingpong"}, 12, 7));
  std::ostringstream out;
  print_screen(out, screen, ScreenSize::first, 80);
  const std::string text = out.str();
  CHECK(std::ranges::count(text, '\n') <= 24);
  CHECK(text.find("  2K ") != std::string::npos);
  CHECK(text.find("more line") == std::string::npos);
  CHECK(screen.verdict == "verdict");
}

}  // namespace hockney::report
