#include "verdicts/imported_guidelines.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/imported.hpp"
#include "tests/support/guideline_launches.hpp"
#include "verdicts/guideline_cells.hpp"

namespace hockney::verdicts {
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
