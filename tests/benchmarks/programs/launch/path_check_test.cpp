#include "benchmarks/programs/launch/path_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace hockney::benchmarks::programs {
namespace {

const ExpectedPath cma_from_64k{.path = "cma", .from = {64 << 10}};

/// pingpong of so many bytes, of which so many were copied.
Series counted(std::int64_t bytes, std::int64_t copied) {
  const Transport transport{
      .messages = 1, .payload_bytes = bytes, .copied_bytes = copied, .shares_memory = true};
  return {.point = {.operation = "pingpong",
                    .bytes = {bytes},
                    .ranks = 2,
                    .path = prove_path(transport).path},
          .transport = transport};
}

}  // namespace

TEST_CASE("series of the expected sizes that went another way are flagged, and their record") {
  Record record;
  record.series = {counted(8, 0), counted(64 << 10, 64 << 10), counted(1 << 20, 0),
                   counted(2 << 20, 900'000)};
  record.series.push_back({.point = {.operation = "floor-memcpy", .bytes = {1 << 20}}});
  flag_paths(record, cma_from_64k);
  std::vector<bool> flagged;
  for (const Series& series : record.series) flagged.push_back(!series.flags.empty());
  CHECK(flagged == std::vector<bool>{false, false, true, true, false});
  CHECK(record.flags == std::vector<std::string>{"path-differs"});
  const auto difference = path_difference(record, cma_from_64k);
  REQUIRE(difference);
  CHECK(difference->problem == "the path is not cma as expected in 2 series");
  CHECK(difference->why == "pingpong ranks=2 at 1M is shm");
}

TEST_CASE("nothing is flagged where all is as expected, or nothing is") {
  Record record;
  record.series = {counted(1 << 20, 1 << 20)};
  flag_paths(record, cma_from_64k);
  flag_paths(record, std::nullopt);
  CHECK(record.flags.empty());
  CHECK_FALSE(path_difference(record, cma_from_64k));
  CHECK_FALSE(path_difference(record, std::nullopt));
}

}  // namespace hockney::benchmarks::programs
