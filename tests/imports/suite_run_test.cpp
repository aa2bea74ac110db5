#include "imports/suite_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"

namespace hockney::imports {
namespace {

TEST_CASE("a run becomes a record that is written and read again as the same") {
  SuiteRun run{.suite = "osu", .version = "7.5", .figures = {}};
  Point point{.operation = "pingpong", .bytes = {8}, .ranks = 2};
  point.parameters["timing"] = "osu";
  run.figures = {{point, 2e-6, 8}, {point, 4e-6, 8}};
  const Record record =
      record_of(run, "2026-03-01T12:34:56Z", {.name = "old", .setting = "osu", .launch = 3});
  REQUIRE(record.series.size() == 1);
  CHECK(record.series[0].samples_seconds == std::vector<double>{2e-6, 4e-6});
  CHECK(record.series[0].summary.median_seconds.value() == Approx(3e-6));
  CHECK(record.campaign->launch == 3);
  CHECK(record.series[0].flags.empty());
  CHECK(read_record(parse_json(to_json(record).dump(), "a record")) == record);
}

}  // namespace
}  // namespace hockney::imports
