#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/record_file.hpp"
#include "driver/imports/suite_run.hpp"

namespace hockney::imports {
namespace {

FoundRun found(std::string file, const std::string& operation = "pingpong",
               std::map<std::string, std::string> facts = {}) {
  FoundRun made{.run = {}, .file = std::move(file)};
  made.run.figures.push_back({{.operation = operation, .bytes = {8}, .ranks = 2}, 1e-6, 8});
  made.run.facts = std::move(facts);
  return made;
}

using Names = std::vector<std::string>;

TEST_CASE("runs in folders that only count are launches of one setting") {
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"a-1.txt", "a-2.txt"},
           {"run-1/a.txt", "run-2/a.txt"},
           {"out/2026-03-01/a.txt", "out/2026-03-02/a.txt"},
           {"out/20260301T120000Z/a.txt", "out/20260302T120000Z/a.txt"},
           {"out/night_3/a.txt", "out/night_4/a.txt"},
           {"out/mpich-run-1/a.txt", "out/mpich-run-2/a.txt"},
           {"out/osu_latency_5f3ac1be/a.txt", "out/osu_latency_09d1c2aa/a.txt"}}) {
    INFO(first);
    const std::vector<FoundRun> runs{found(first), found(second)};
    CHECK(settings_of(runs, "osu", true).names == Names{"osu", "osu"});
  }
}

TEST_CASE("runs of the same points in other folders are of several settings") {
  const std::vector<FoundRun> runs{found("x/openmpi-5.0/lat/1.txt"),
                                   found("x/openmpi-5.0/bw/1.txt", "bandwidth"),
                                   found("x/mpich/lat/1.txt"), found("x/mpich/lat/2.txt")};
  const RunSettings settings = settings_of(runs, "osu", true);
  CHECK(settings.names == Names{"osu-openmpi-5.0", "osu-openmpi-5.0", "osu-mpich", "osu-mpich"});
  CHECK(settings.differences == Names{"folder"});
  CHECK(settings_of(runs, "night", false).names == Names{"night", "night", "night", "night"});
}

TEST_CASE("folders of different points part nothing") {
  const std::vector<FoundRun> runs{found("x/lat/1.txt"), found("x/bw/1.txt", "bandwidth")};
  CHECK(settings_of(runs, "osu", true).names == Names{"osu", "osu"});
}

TEST_CASE("what texts say of libraries and machines parts runs of the same points") {
  const std::vector<FoundRun> versions{found("a.txt", "pingpong", {{"version", "7.2"}}),
                                       found("b.txt", "pingpong", {{"version", "7.4"}}),
                                       found("c.txt", "bandwidth", {{"version", "7.5"}})};
  const RunSettings settings = settings_of(versions, "osu", false);
  CHECK(settings.names == Names{"osu-v7.2", "osu-v7.4", "osu-v7.5"});
  CHECK(settings.differences == Names{"version"});

  const std::vector<FoundRun> devices{
      found("a.txt", "allreduce", {{"device", "NVIDIA A100"}, {"host", "g1"}}),
      found("b.txt", "allreduce", {{"device", "NVIDIA H200"}, {"host", "g2"}})};
  CHECK(settings_of(devices, "nccl-tests", true).names ==
        Names{"nccl-tests-NVIDIA-A100", "nccl-tests-NVIDIA-H200"});

  const std::vector<FoundRun> hosts{found("a.txt", "allreduce", {{"host", "g1"}}),
                                    found("b.txt", "allreduce", {{"host", "g2"}})};
  CHECK(settings_of(hosts, "nccl-tests", true).names == Names{"nccl-tests-g1", "nccl-tests-g2"});
  CHECK(settings_of(hosts, "night", false).names == Names{"night", "night"});
}

TEST_CASE("settings whose names would be the same keep apart") {
  const std::vector<FoundRun> runs{found("a b/1.txt"), found("a-b/1.txt")};
  const RunSettings settings = settings_of(runs, "osu", true);
  CHECK(settings.names[0] != settings.names[1]);
}

TEST_CASE("the name of a campaign has no date and no time") {
  CHECK(campaign_name("results/osu-20261126T205849Z", "osu") == "osu");
  CHECK(campaign_name("nights/2026-11-26", "imb") == "imb");
  CHECK(campaign_name("nights/night-28/", "imb") == "imb");
  CHECK(campaign_name("nights/night-28/lat", "osu") == "lat");
  CHECK(campaign_name("lat-2026-11-26", "osu") == "lat");
  CHECK(campaign_name("before", "osu") == "before");
}

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
