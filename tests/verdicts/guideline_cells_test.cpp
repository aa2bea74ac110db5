#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/suite_names.hpp"
#include "tests/support/guideline_launches.hpp"
#include "verdicts/guideline_cells.hpp"

namespace hockney::verdicts {
namespace {

Guideline of_sizes(SizeRelation map) {
  return {.name = "sizes",
          .left = {.operation = "bcast", .parameters = {}},
          .right = {.operation = "bcast", .parameters = {}},
          .map = map};
}

/// A launch of bcast whose times are its bytes, in microseconds.
Record launch_of_sizes(SizeRelation map, const std::vector<std::int64_t>& sizes, int ranks = 2) {
  Record record = launch_of("ranks-" + std::to_string(ranks));
  record.guidelines = {of_sizes(map)};
  for (const std::int64_t bytes : sizes) {
    Point point = simple_point("bcast", bytes);
    point.ranks = ranks;
    add_measured(record, point, 1e-6 * static_cast<double>(bytes + ranks));
  }
  return record;
}

struct Sizes {
  std::int64_t left;
  std::int64_t right;
  double factor;
  bool operator==(const Sizes&) const = default;
};

std::vector<Sizes> sizes_of(const GuidelineCells& cells) {
  std::vector<Sizes> sizes;
  for (const GuidelineCell& cell : cells.cells) {
    sizes.push_back({cell.left.bytes.value, cell.right.bytes.value, cell.factor});
  }
  return sizes;
}

Point with(Point point, const std::string& key, const std::string& value) {
  point.parameters[key] = value;
  return point;
}

}  // namespace

TEST_CASE("a size is held against the next larger one") {
  const Record record = launch_of_sizes(SizeRelation::next_size, {0, 8, 100, 64});
  CHECK(sizes_of(guideline_cells({&record, 1})) ==
        std::vector<Sizes>{{0, 8, 1}, {8, 64, 1}, {64, 100, 1}});
}

TEST_CASE("a size is held against the largest part it is a multiple of") {
  const Record record = launch_of_sizes(SizeRelation::parts, {0, 8, 64, 96, 100});
  CHECK(sizes_of(guideline_cells({&record, 1})) == std::vector<Sizes>{{64, 8, 8}, {96, 8, 12}});
}

TEST_CASE("ranks are held against the next larger number, launch by launch") {
  std::vector<Record> records;
  for (const int ranks : {8, 2, 4}) {
    for (int launch = 0; launch < 3; ++launch) {
      records.push_back(launch_of_sizes(SizeRelation::more_ranks, {8}, ranks));
      records.back().campaign->launch = launch;
    }
  }
  const GuidelineCells cells = guideline_cells(records);
  REQUIRE(cells.cells.size() == 2);
  CHECK(cells.cells[0].left.ranks == 2);
  CHECK(cells.cells[0].right.ranks == 4);
  CHECK(cells.cells[0].pairs.size() == 3);
  CHECK(cells.cells[0].pairs[0].left_seconds == Approx(10e-6));
  CHECK(cells.cells[0].pairs[0].right_seconds == Approx(12e-6));
  CHECK(cells.cells[1].right.ranks == 8);
}

TEST_CASE("threads are held against as many ranks of one thread, of the same launch") {
  Record record = launch_of("default");
  record.guidelines = {{.name = "rate: threads <= ranks",
                        .left = {.operation = "rate", .parameters = {}},
                        .right = {.operation = "rate", .parameters = {{"threads", "1"}}},
                        .map = SizeRelation::threads_as_ranks}};
  const auto add = [&](int ranks, const std::string& threads, double seconds) {
    Point point = with(simple_point("rate", 8), "threads", threads);
    point.parameters["communicators"] = "each";
    point.ranks = ranks;
    add_measured(record, point, seconds);
  };
  add(8, "1", 1e-6);
  add(4, "1", 9e-6);
  add(4, "2", 2e-6);
  add(2, "4", 3e-6);
  add(2, "3", 4e-6);
  const GuidelineCells cells = guideline_cells({&record, 1});
  REQUIRE(cells.cells.size() == 2);
  for (const GuidelineCell& cell : cells.cells) {
    CHECK(cell.right.ranks == 8);
    CHECK(cell.right.parameters.at("threads") == "1");
    CHECK(cell.pairs.at(0).right_seconds == Approx(1e-6));
  }
  REQUIRE(cells.unmeasured.size() == 1);
  CHECK(cells.unmeasured[0].left.parameters.at("threads") == "3");
  CHECK(cells.unmeasured[0].reason == "6 ranks with one thread each were not planned");
}

TEST_CASE("two settings of as many ranks leave open which one is meant") {
  std::vector<Record> records;
  for (const int ranks : {2, 4})
    records.push_back(launch_of_sizes(SizeRelation::more_ranks, {8}, ranks));
  records.push_back(launch_of_sizes(SizeRelation::more_ranks, {8}, 4));
  records.back().campaign->setting = "another";
  const GuidelineCells cells = guideline_cells(records);
  CHECK(cells.cells.empty());
  REQUIRE(cells.unmeasured.size() == 1);
  CHECK_THAT(cells.unmeasured[0].reason, Catch::Contains("several settings have 4 ranks"));
}

TEST_CASE("sides belong together when their other parameters are the same, or plain") {
  Record record = launch_of("default");
  record.guidelines = {slow_not_above_fast()};
  add_measured(record, with(simple_point("slow", 8), "in-place", "yes"), 1e-6);
  add_measured(record, simple_point("slow", 8), 2e-6);
  add_measured(record, with(simple_point("fast", 8), "counts", "zipf"), 3e-6);
  add_measured(record, with(simple_point("fast", 8), "counts", "equal"), 4e-6);
  const GuidelineCells cells = guideline_cells({&record, 1});
  REQUIRE(cells.cells.size() == 1);
  CHECK(cells.cells[0].pairs[0].left_seconds == Approx(2e-6));
  CHECK(cells.cells[0].pairs[0].right_seconds == Approx(4e-6));
  CHECK(cells.unmeasured.empty());  // in place is another guideline's
}

TEST_CASE("a side may ask for parameters") {
  Record record = launch_of("default");
  Guideline in_place = slow_not_above_fast();
  in_place.left.parameters["in-place"] = "yes";
  in_place.right = in_place.left;
  in_place.right.parameters["in-place"] = "no";
  record.guidelines = {in_place};
  add_measured(record, with(simple_point("slow", 8), "in-place", "yes"), 1e-6);
  add_measured(record, simple_point("slow", 8), 2e-6);
  const GuidelineCells cells = guideline_cells({&record, 1});
  REQUIRE(cells.cells.size() == 1);
  CHECK(cells.cells[0].pairs[0].left_seconds == Approx(1e-6));
  CHECK(cells.cells[0].pairs[0].right_seconds == Approx(2e-6));
}

TEST_CASE("settings are judged apart, and numbers of other suites not at all") {
  std::vector<Record> records = exact_launches({2}, 2);
  records[1].campaign->setting = "another";
  add_measured(records[0], with(simple_point("slow", 8), "timing", "osu"), 1e-6);
  const GuidelineCells cells = guideline_cells(records);
  REQUIRE(cells.cells.size() == 2);
  CHECK(cells.cells[0].setting != cells.cells[1].setting);
  CHECK(cells.unmeasured.empty());
}

TEST_CASE("what lacks a side is told with the reason") {
  Record record = launch_of("default");
  record.guidelines = {slow_not_above_fast()};
  add_measured(record, simple_point("slow", 8), 1e-6);
  add_skipped(record, simple_point("fast", 8), "there is no such thing");
  add_measured(record, simple_point("slow", 16), 1e-6);
  const GuidelineCells cells = guideline_cells({&record, 1});
  CHECK(cells.cells.empty());
  REQUIRE(cells.unmeasured.size() == 2);
  CHECK(cells.unmeasured[0].reason == "fast: there is no such thing");
  CHECK(cells.unmeasured[1].reason == "fast was not planned");
}

TEST_CASE("interrupted launches do not count") {
  std::vector<Record> records = exact_launches({2}, 3);
  records[0].status = LaunchStatus::interrupted;
  const GuidelineCells cells = guideline_cells(records);
  CHECK(cells.launches == 2);
  CHECK(cells.launches_left_out == 1);
  CHECK(cells.cells.front().pairs.size() == 2);
}

TEST_CASE("records must state guidelines, and the same of one name") {
  std::vector<Record> records = exact_launches({2}, 2);
  records[1].guidelines.front().factor = 2;
  CHECK_THROWS_WITH(guideline_cells(records), Catch::Contains("two guidelines are called"));
  for (Record& record : records) record.guidelines.clear();
  CHECK_THROWS_WITH(guideline_cells(records), Catch::Contains("no guideline is stated"));
}

namespace {

struct Call {
  std::string operation;
  std::int64_t bytes = 0;
  double microseconds = 0;
  std::map<std::string, std::string> parameters{};
};

/// A launch of four ranks whose figures IMB printed.
Record imported_launch(const std::vector<Call>& calls, int launch = 1) {
  Record record = launch_of("imb");
  record.stopped_because = std::string(imported_reason);
  record.campaign->launch = launch;
  for (const Call& call : calls) {
    Point point = simple_point(call.operation, call.bytes);
    point.ranks = 4;
    point.parameters = call.parameters;
    point.parameters["timing"] = "imb";
    add_measured(record, point, call.microseconds * 1e-6);
  }
  return record;
}

/// The times of both sides of a guideline at a size, in the first launch [us].
std::optional<std::pair<double, double>> sides_at(const GuidelineCells& cells,
                                                  const std::string& guideline,
                                                  std::int64_t bytes) {
  const auto found = std::ranges::find_if(cells.cells, [&](const GuidelineCell& cell) {
    return cell.guideline.name == guideline && cell.left.bytes.value == bytes;
  });
  if (found == cells.cells.end()) return std::nullopt;
  const auto& pair = found->pairs.front();
  return std::pair(std::round(pair.left_seconds * 1e8) / 100,
                   std::round(pair.right_seconds * 1e8) / 100);
}

using Sides = std::optional<std::pair<double, double>>;

TEST_CASE("imported calls are held against the sums of others") {
  const std::map<std::string, std::string> sums{{"datatype", "float"}, {"operator", "sum"}};
  const std::vector<Record> records{imported_launch(
      {{"allreduce", 4, 40, sums}, {"reduce", 4, 8, sums}, {"bcast", 4, 12}, {"barrier", 0, 64}})};
  const GuidelineCells cells = guideline_cells(records);
  CHECK(sides_at(cells, "allreduce <= reduce + bcast", 4) == Sides({40, 20}));
  CHECK(sides_at(cells, "barrier <= allreduce of one element", 0) == Sides({64, 40}));
  CHECK(sides_at(cells, "reduce <= allreduce", 4) == Sides({8, 40}));
  CHECK(cells.cells.size() == 3);
}

TEST_CASE("calls of a sum have the sizes that the work of the left side needs") {
  const std::vector<Record> records{imported_launch({{"bcast", 1024, 30},
                                                     {"bcast", 256, 9},
                                                     {"scatter", 256, 5},
                                                     {"allgather", 256, 7},
                                                     {"gather", 256, 3}})};
  const GuidelineCells cells = guideline_cells(records);
  CHECK(sides_at(cells, "bcast <= scatter + allgather", 1024) == Sides({30, 12}));
  CHECK(sides_at(cells, "bcast <= scatter + allgather", 256) == std::nullopt);
  CHECK(sides_at(cells, "scatter <= bcast", 256) == Sides({5, 30}));
  CHECK(sides_at(cells, "allgather <= gather + bcast", 256) == Sides({7, 33}));
  CHECK(sides_at(cells, "gather <= allgather", 256) == Sides({3, 7}));
  CHECK(sides_at(cells, "bcast: a size <= the next", 256) == Sides({9, 30}));
}

TEST_CASE("sums are of one kind of data, and of one launch") {
  const std::vector<Record> records{
      imported_launch({{"allreduce", 8, 40, {{"datatype", "float"}}},
                       {"reduce", 8, 10, {{"datatype", "int"}}},
                       {"bcast", 8, 12, {{"memory", "cuda"}}}},
                      1),
      imported_launch({{"allreduce", 8, 40, {{"datatype", "float"}}},
                       {"reduce", 8, 11, {{"datatype", "float"}}},
                       {"bcast", 8, 12}},
                      2),
      imported_launch({{"reduce", 8, 13, {{"datatype", "float"}}}}, 3)};
  const GuidelineCells cells = guideline_cells(records);
  CHECK(sides_at(cells, "allreduce <= reduce + bcast", 8) == Sides({40, 23}));
  CHECK(std::ranges::find_if(cells.cells, [](const GuidelineCell& cell) {
          return cell.guideline.name == "allreduce <= reduce + bcast";
        })->pairs.size() == 1);
}

TEST_CASE("imported records and those that state guidelines are judged apart") {
  std::vector<Record> records = exact_launches({2}, 2);
  records.push_back(imported_launch({{"bcast", 8, 1}, {"bcast", 16, 2}}));
  CHECK_THROWS_WITH(guideline_cells(records), Catch::Contains("imported records beside those"));
}

}  // namespace
}  // namespace hockney::verdicts
