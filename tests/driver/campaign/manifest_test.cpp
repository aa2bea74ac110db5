#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "driver/campaign/manifest.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.status = Status::interrupted;
  manifest.config = {.name = "eager", .program = "hockney-pingpong"};
  manifest.config.settings = {{.name = "a"}, {.name = "b", .environment = {{"A", "1"}}}};
  manifest.config.budget = Seconds{60};
  manifest.config.file = "/x/eager.json";
  manifest.program = "/x/hockney-pingpong";
  manifest.ranks = 4;
  manifest.seed = 18446744073709551615U;
  manifest.launches = 2;
  manifest.launches_because = "as asked";
  manifest.started_utc = "2026-03-01T12:00:00Z";
  manifest.elapsed_seconds = 12.5;
  Attempt attempt{.setting = "b", .launch = 2, .number = 3, .status = AttemptStatus::failed};
  attempt.reason = "killed by signal 9, Killed";
  attempt.signal = 9;
  attempt.command = {{"mpirun", "-n", "4"}, {{"A", "1"}}};
  attempt.started_utc = "2026-03-01T12:00:05Z";
  attempt.duration_seconds = 3.25;
  attempt.slot_seconds = 1.5;
  attempt.log = "/x/logs/b-002-3.log";
  attempt.remains = "/x/interrupted/b-002-3.json";
  attempt.last_lines = {"one", "two"};
  manifest.attempts = {attempt};
  return manifest;
}

Manifest read(const nlohmann::json& document) {
  return read_manifest(parse_json(document.dump(), "manifest.json"));
}

}  // namespace

TEST_CASE("a manifest survives being written and read") {
  const nlohmann::json written = to_json(example());
  CHECK(to_json(read(written)) == written);
  const Manifest manifest = read(written);
  CHECK(manifest.status == Status::interrupted);
  CHECK(manifest.seed == 18446744073709551615U);
  CHECK(manifest.config.settings[1].environment.at("A") == "1");
  REQUIRE(manifest.attempts.size() == 1);
  CHECK(manifest.attempts[0].status == AttemptStatus::failed);
  CHECK(manifest.attempts[0].name() == "b-002");
  CHECK(manifest.attempts[0].signal == 9);
  CHECK_FALSE(manifest.attempts[0].exit_code.has_value());
  CHECK(manifest.tries("b", 2) == 1);
  CHECK(manifest.tries("b", 1) == 0);
}

TEST_CASE("a manifest lists its plan in the order of launching") {
  const nlohmann::json plan = to_json(example()).at("plan");
  REQUIRE(plan.size() == 4);
  const auto expected = plan_launches(2, 2, 18446744073709551615U);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(plan[i] == launch_name(expected[i].setting == 0 ? "a" : "b", expected[i].launch));
  }
}

TEST_CASE("a manifest is read strictly") {
  const nlohmann::json good = to_json(example());
  const std::vector<std::string> patches{R"({"schema": "hockney.manifest/2"})",
                                         R"({"status": "finished"})",
                                         R"({"seed": -1})",
                                         R"({"elapsed_seconds": 1e300})",
                                         R"({"ranks": 2147483647})",
                                         R"({"launches": 2147483647})",
                                         R"({"ranks": 0})",
                                         R"({"attempts": {}})",
                                         R"({"config": 3})",
                                         R"({"attempts": [{}]})",
                                         R"({"launches": null})"};
  for (const std::string& patch : patches) {
    CAPTURE(patch);
    nlohmann::json bad = good;
    bad.merge_patch(nlohmann::json::parse(patch));
    CHECK_THROWS_AS(read(bad), InputError);
  }
}

TEST_CASE("a manifest with more points within the precision than points is refused") {
  Manifest manifest = example();
  manifest.precision = Precision{.points = 3, .within = 4, .level = 0.95};
  CHECK(input_error_of([&] { read(to_json(manifest)); }) ==
        "manifest.json: key 'precision.within' is 4 (points within the precision are some of all) "
        "is the file damaged?");
}

TEST_CASE("the first key that differs between configs is named") {
  const Config before = example().config;
  Config now = before;
  CHECK_FALSE(differing_key(before, now).has_value());
  now.description = "other words";
  now.launch_timeout = {7};
  now.budget = *now.budget * 2;
  CHECK_FALSE(differing_key(before, now).has_value());
  now.settings[1].environment["A"] = "2";
  CHECK(differing_key(before, now) == "settings[1].environment.A");
  now = before;
  now.budget.reset();
  CHECK(differing_key(before, now) == "budget_seconds");
  now = before;
  now.ranks.reset();
  CHECK(differing_key(before, now) == "ranks");
}

TEST_CASE("a manifest keeps no secrets, and its campaign is launched with them all the same") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/manifest.json";
  Manifest manifest = example();
  manifest.config.environment = {{"A_TOKEN", "hunter2"}};
  manifest.config.arguments = {"--password=hunter2"};
  manifest.config.launcher.arguments = {"-x", "B_KEY=hunter2"};
  manifest.config.settings[0].launcher_arguments = {"--mca", "c_key", "hunter2"};
  manifest.config.settings[1].environment["PSM2_UUID"] = "hunter2";
  manifest.attempts[0].command = {{"mpirun", "-x", "B_KEY=hunter2"}, {{"A_TOKEN", "hunter2"}}};
  save_manifest(manifest, file);
  const std::string text = read_file(file);
  CHECK(text.find("hunter2") == std::string::npos);
  CHECK(text.find("A_TOKEN") != std::string::npos);
  const std::filesystem::path whole = folder.path() + "/" + private_config_name;
  using std::filesystem::perms;
  CHECK(std::filesystem::status(whole).permissions() == (perms::owner_read | perms::owner_write));
  const Manifest loaded = load_manifest(file);
  CHECK(to_json(loaded.config) == to_json(manifest.config));
  CHECK(loaded.config.file == manifest.config.file);
  CHECK_FALSE(differing_key(loaded.config, manifest.config));
  CHECK(loaded.attempts[0].command.arguments.back() == "B_KEY=set");
  std::filesystem::remove(whole);
  CHECK(error_line([&] { load_manifest(file); }).find("config-private.json' is not there") !=
        std::string::npos);
}

TEST_CASE("a config without secrets is in its manifest alone") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/manifest.json";
  save_manifest(example(), file);
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/" + private_config_name));
  CHECK(to_json(load_manifest(file)) == to_json(example()));
}

}  // namespace hockney::campaign
