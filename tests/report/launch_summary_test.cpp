#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "core/text.hpp"
#include "report/launch_summary.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

std::string summary(const Record& record, const SummaryStyle& style = {}) {
  std::ostringstream out;
  print_launch_summary(out, record, style);
  return out.str();
}

/// put and get, each complete at the origin and at the target, at 8 B and 1 MiB.
Record one_sided() {
  Record record{.procedure = "rma"};
  for (const char* const operation : {"put", "get"}) {
    for (const char* const completion : {"origin", "target"}) {
      for (const std::int64_t bytes : {8, 1 << 20}) {
        Point point = simple_point(operation, bytes);
        point.hop = "l3";
        point.path = bytes == 8 ? "shm" : "cma";
        point.parameters["completion"] = completion;
        add_measured(record, point, bytes == 8 ? 0.39e-6 : 93.6e-6);
      }
    }
  }
  return record;
}

/// The lines that awk reads.
std::vector<std::string> rows_of(const std::string& text) {
  std::vector<std::string> rows = split(text, '\n');
  std::erase_if(rows, [](const std::string& line) { return line.empty() || line.front() == '#'; });
  return rows;
}

std::size_t widest_line(const std::string& text) {
  return std::ranges::max(split(text, '\n'), {}, &std::string::size).size();
}

}  // namespace

TEST_CASE("operations of the same sizes are columns of one table, below the answer") {
  const std::string text = summary(one_sided(), {.columns = 100});
  CHECK_THAT(text,
             Catch::StartsWith("# shared memory up to 8 B, CMA from 1M, proven; put origin 8 B "
                               "0.390 us, 1M 11.2 GB/s;"));
  CHECK_THAT(text,
             Catch::Contains("\n# ranks=2 hop=l3\n"
                             "#               put       put       get       get       put       "
                             "put       get       get\n"
                             "#            origin    target    origin    target    origin    "
                             "target    origin    target\n"
                             "#   bytes        us        us        us        us      MB/s      "
                             "MB/s      MB/s      MB/s\n"
                             "        8    0.3900    0.3900    0.3900    0.3900     20.51     "
                             "20.51     20.51     20.51\n"));
  CHECK(rows_of(text).size() == 2);
  CHECK_THAT(text, Catch::EndsWith("# one launch, so no intervals: hockney run repeats launches; "
                                   "--all: every column\n"));
}

TEST_CASE("the words of a single curve stand once above its columns") {
  Record record{.procedure = "pingpong"};
  Point point = simple_point("pingpong", 8);
  point.hop = "l3";
  point.pair = {0, 1};
  add_measured(record, point, 0.39e-6);
  CHECK_THAT(summary(record), Catch::Contains("\n# pingpong ranks=2 hop=l3 pair=0-1\n"));
}

TEST_CASE("there are as many columns as there is room for, then more below") {
  CHECK(rows_of(summary(one_sided(), {.columns = 80})).size() == 2);  // without bandwidths
  const std::string narrow = summary(one_sided(), {.columns = 40});
  CHECK(rows_of(narrow).size() == 4);
  for (const std::size_t columns : {40U, 60U, 80U}) {
    CHECK(widest_line(summary(one_sided(), {.columns = columns})) <= columns);
  }
}

TEST_CASE("what has no size is a row for each operation") {
  Record record{.procedure = "startup"};
  for (const char* const operation : {"comm-dup", "comm-split"}) {
    Point point = simple_point(operation, 0);
    point.hop = "l3";
    add_measured(record, point, 4.5e-6);
  }
  add_measured(record, simple_point("init", 0), 0.3);
  add_skipped(record, simple_point("spawn", 0), "nobody asked");
  const std::string text = summary(record);
  CHECK_THAT(text, Catch::StartsWith("# comm-dup 4.50 us; comm-split 4.50 us; init 300 ms\n"));
  CHECK_THAT(text, Catch::Contains("# operation   time[us]\n"
                                   "  comm-dup       4.500\n"));
  CHECK_THAT(text, Catch::Contains("\n# not measured: spawn (nobody asked)\n"));
  CHECK(rows_of(text).size() == 3);
}

TEST_CASE("what bytes are is told once, and flags of points are") {
  Record record{.procedure = "collectives"};
  for (const std::int64_t bytes : {8, 16}) {
    add_measured(record, simple_point("bcast", bytes), 1e-6);
    add_measured(record, simple_point("reduce", bytes), 1e-6, {"oversubscribed"});
  }
  const std::string text = summary(
      record, {.bytes_of = {{"bcast", "the message"}, {"reduce", "the vector of each rank"}}});
  CHECK_THAT(text, Catch::Contains("\n# bytes are those of the message (bcast), of the vector of "
                                   "each rank (reduce)\n"));
  CHECK_THAT(text, Catch::Contains("\n# oversubscribed: reduce 8 B and 1 more\n"));
}

TEST_CASE("the paths of a curve are told in a sentence") {
  const auto row = [](std::int64_t bytes, const std::string& path) {
    Row made;
    made.point = simple_point("pingpong", bytes);
    made.paths = {path};
    if (path == "unproven") made.unproven_because = "no common memory";
    return made;
  };
  CHECK(path_sentence(std::vector<Row>{row(8, "tcp"), row(64, "tcp")}) ==
        "TCP at every size, proven");
  CHECK(path_sentence(std::vector<Row>{row(1, "shm"), row(2048, "shm"), row(4096, "cma"),
                                       row(8192, "cma"), row(16384, "tcp")}) ==
        "shared memory up to 2K, CMA 4K .. 8K, TCP from 16K, proven");
  CHECK(path_sentence(std::vector<Row>{row(8, "shm"), row(64, "unproven")}) ==
        "shared memory up to 8 B, unproven from 64 B (no common memory)");
  CHECK(path_sentence(std::vector<Row>{Row{}}).empty());
}

}  // namespace hockney::report
