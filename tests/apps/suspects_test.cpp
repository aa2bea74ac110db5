// `hockney run --suspects`: the second campaign of a night, from the records of the first.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/time.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/support/nightly_site.hpp"

namespace hockney::apps {
namespace {

constexpr std::int64_t day = 20'000;

/// The commands of the second campaign, after a night of 16 nodes.
CommandResult measure_again(const NightlySite& site, const std::string& name = "nightly") {
  const nlohmann::json config{{"schema", "hockney.campaign/1"},
                              {"name", name},
                              {"description", "pairs of nodes"},
                              {"program", built("hockney")},
                              {"arguments", {"--pairs", "sparse:15", "--sizes", "8"}},
                              {"ranks", 16}};
  const std::string file = site.folder().write("pairs.json", config.dump());
  Arguments command{built("hockney"), "run",      file, "--suspects", site.records(), "--out",
                    site.at("again"), "--dry-run"};
  for (const std::string& word : mock_launcher()) command.push_back(word);
  return run_command(command);
}

}  // namespace

TEST_CASE("the suspect link is measured again, three times, beside links that are as expected") {
  NightlySite site;
  site.add_fleet_night(day, 16, {.a = 2, .b = 7}, 1.5);
  const CommandResult again = measure_again(site);
  INFO(again.out << again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(std::ranges::count(again.out, '\n') == 3);
  CHECK_THAT(again.out, Catch::Contains("--pairs 2-7,"));
  const std::string pairs = again.out.substr(again.out.find("--pairs 2-7"));
  CHECK(std::ranges::count(pairs.substr(0, pairs.find(' ', 8)), '-') == 2 + 5);  // four companions
}

TEST_CASE("a night without suspects needs nothing more") {
  NightlySite site;
  site.add_fleet_night(day, 16, {}, 1);
  const CommandResult again = measure_again(site);
  CHECK(again.exit_code == 0);
  CHECK(again.out.empty());
  CHECK_THAT(again.err, Catch::StartsWith("no link is suspect in "));
}

TEST_CASE("records without pairs of nodes are refused in one line") {
  NightlySite site;
  site.add_night(day, 1);
  const CommandResult again = measure_again(site);
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.err, Catch::Contains("no suspects can be told from"));
  CHECK(std::ranges::count(again.err, '\n') == 1);
}

TEST_CASE("suspects are measured again by the campaign that found them, on the same hosts") {
  NightlySite site;
  site.add_fleet_night(day, 16, {.a = 2, .b = 7}, 1.5);
  const CommandResult other = measure_again(site, "weekly");
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.err, Catch::StartsWith("no records of the campaign 'weekly' in "));
  site.add_fleet_night(day + 1, 15, {.a = 2, .b = 7}, 1.5);
  const CommandResult moved = measure_again(site);
  CHECK(moved.exit_code == 2);
  CHECK_THAT(moved.err, Catch::Contains("had their ranks on different hosts"));
}

TEST_CASE("a sweep has no suspects") {
  NightlySite site;
  const CommandResult sweep =
      run_command({built("hockney"), "run", HOCKNEY_SOURCE_DIR "/configs/rules-openmpi-bcast.json",
                   "--suspects", site.folder().path(), "--dry-run"});
  CHECK(sweep.exit_code == 2);
  CHECK_THAT(sweep.err, Catch::StartsWith("--suspects of a sweep ("));
}

}  // namespace hockney::apps
