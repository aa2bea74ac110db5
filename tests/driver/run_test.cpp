#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/nightly_site.hpp"
#include "tests/support/temporary_folder.hpp"

// Campaigns as users begin them: arguments of their own, budgets, and what is refused at once.
// `hockney run --suspects`: the second campaign of a night, from the records of the first.
namespace hockney::driver {

using Json = nlohmann::json;

#ifdef HOCKNEY_MPIEXEC

namespace {

/// Short launches of ping-pong, more than anybody waits for.
Json config_of_150() {
  return {{"schema", "hockney.campaign/1"},
          {"name", "short"},
          {"program", "hockney-pingpong"},
          {"arguments", {"--sizes", "8,64", "--samples", "2"}},
          {"launches", 150}};
}

/// One of them, shorter still.
Json config_of_one() {
  Json config = config_of_150();
  config["launches"] = 1;
  for (const char* word : {"--epochs", "1"}) config["arguments"].push_back(word);
  return config;
}

Arguments run_of(const TemporaryFolder& folder, const Json& config, const Arguments& more) {
  return with({built("hockney"), "run", folder.write("c.json", config.dump()), "--out",
               folder.path() + "/out"},
              more);
}

Json manifest_of(const TemporaryFolder& folder) {
  return load_json(folder.path() + "/out/manifest.json").json();
}

std::string last_line(std::string text) {
  text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

TEST_CASE("a launch that refuses its arguments ends the campaign with its own line") {
  const TemporaryFolder folder;
  const Arguments bad{"--sizes", "abc"};
  Arguments more = with({"--"}, bad);
  const CommandResult campaign = run_command(run_of(folder, config_of_150(), more));
  const CommandResult by_hand = run_command({built("hockney-pingpong"), bad[0], bad[1]});
  CHECK(campaign.exit_code == bad_input);
  CHECK(campaign.out.empty());
  CHECK(last_line(campaign.err) == last_line(by_hand.err));
  CHECK(manifest_of(folder).at("attempts").size() == 1);
}

TEST_CASE("a quiet campaign prints one line, which says the most") {
  const TemporaryFolder folder;
  const Json config = config_of_one();
  const CommandResult result = run_command(run_of(folder, config, {"-q"}));
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out,
             Catch::StartsWith("pingpong ") && Catch::Contains(" at 8, ") && Catch::EndsWith("\n"));
  CHECK(std::ranges::count(result.out, '\n') == 1);
}

TEST_CASE("a page lies beside the records, and is made anew on resuming") {
  const TemporaryFolder folder;
  const std::string page = folder.path() + "/out/page.html";
  const Json config = config_of_one();
  CHECK(run_command(run_of(folder, config, {"--no-page"})).exit_code == 0);
  CHECK_FALSE(std::filesystem::exists(page));
  const Arguments again{built("hockney"), "run", "--resume", "--out", folder.path() + "/out"};
  const CommandResult result = run_command(again);
  CHECK(result.exit_code == 0);
  // Whether it has plots depends on the scripts of this build.
  const bool has_plots = read_file(page).find("Without plots: ") == std::string::npos;
  CHECK_THAT(result.err, Catch::Contains((has_plots ? "pictures in " : "all tables in ") + page));
  CHECK_THAT(read_file(page), Catch::StartsWith("<!doctype html>") &&
                                  Catch::Contains("hockney report " + folder.path() + "/out"));
}

TEST_CASE("a page that cannot be written is said last, and costs no record") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() + "/out/page.html");
  const Json config = config_of_one();
  const CommandResult result = run_command(run_of(folder, config, {}));
  CHECK(result.exit_code == run_failed);
  CHECK_THAT(result.out, Catch::Contains("pingpong"));
  CHECK_THAT(last_line(result.err), Catch::Contains("page.html"));
  CHECK(load_records({folder.path() + "/out/records"}).size() == 1);
}

TEST_CASE("scripts that are not there are refused before anything runs") {
  const TemporaryFolder folder;
  check_refusal(run_of(folder, config_of_150(), {"--scripts", folder.path()}), {{}, "no script '"});
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/out"));
}

TEST_CASE("settings are varied without a config of one's own, and compared") {
  const TemporaryFolder folder;
  Json config = config_of_150();
  config["launches"] = 6;
  const CommandResult result =
      run_command(run_of(folder, config, {"--vary=--cache=hot,fresh", "--", "--epochs", "1"}));
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("us at") && Catch::Contains("\nfresh ") &&
                             Catch::Contains("\nhot ") && Catch::Contains("--by cache"));
  const CommandResult again =
      run_command({built("hockney"), "run", "--resume", "--out", folder.path() + "/out"});
  CHECK(again.exit_code == 0);
  CHECK(manifest_of(folder).at("attempts").size() == 12);
}

TEST_CASE("arguments after -- take the place of the config's") {
  const TemporaryFolder folder;
  Json config = config_of_150();
  config["launches"] = 1;
  const CommandResult result =
      run_command(run_of(folder, config, {"--", "--sizes", "16", "--epochs", "1"}));
  INFO(result.err);
  CHECK(result.exit_code == 0);
  for (const Record& record : load_records({folder.path() + "/out/records"})) {
    for (const Series& series : record.series) CHECK(series.point.bytes == Bytes{16});
  }
}

TEST_CASE("operations are campaigns, and sizes come after") {
  const CommandResult result = run_command({built("hockney"), "run", "osu_latency", "bw", "--sizes",
                                            "8:64", "--dry-run", "--", "--window", "4"});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("/hockney-pingpong --operations pingpong,bandwidth "
                                         "--window 4 --sizes 8:64 --output "));
}

TEST_CASE("a campaign of an operation has a line for each size, and prints as OMB does") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  const CommandResult result = run_command(
      {built("hockney"), "run", "osu_latency", "--sizes", "8,64", "--budget", "3s", "--out", out});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("\nsize  time[us]") && Catch::Contains("\n   8  ") &&
                             Catch::Contains("\n  64  "));
  CHECK_THAT(run_command({built("hockney"), "report", out}).out, Catch::Contains("\n  64  "));
  const CommandResult table = run_command({built("hockney"), "report", out, "--table", "osu"});
  CHECK_THAT(table.out,
             Catch::StartsWith("# OSU MPI Latency Test\n# Size          Latency (us)\n8   "));
  CHECK(table.err.empty());
  const std::string text = folder.write("osu.txt", table.out);
  CHECK_THAT(run_command({built("hockney"), "import", "osu", text, "--out", out + "-osu"}).out,
             Catch::StartsWith("2 points, 1 launch"));
  check_refusals({built("hockney"), "report", out}, {{{"--table", "osi"}, "did you mean 'osu'?"},
                                                     {{"--table", "imb", "-q"}, "exclu"}});
  // Without its manifest it is like other records.
  write_atomically(out + "/manifest.json", "{");
  const CommandResult damaged = run_command({built("hockney"), "report", out});
  CHECK(damaged.exit_code == 0);
  CHECK_THAT(damaged.out, Catch::Contains("pingpong"));
  CHECK_THAT(damaged.err, Catch::Contains("manifest.json: cannot be read"));
  CHECK(std::count(damaged.err.begin(), damaged.err.end(), '\n') == 1);
}

TEST_CASE("a campaign like imported results asks for their hop class before it measures") {
  const TemporaryFolder folder;
  const std::string text =
      folder.write("osu.txt", "# OSU MPI Latency Test v5.9\n# Size    Latency (us)\n8 0.50\n");
  const auto like = [&](const std::string& name, const Arguments& facts) {
    Arguments import =
        with({built("hockney"), "import", "osu", text, "--out", folder.path() + name}, facts);
    CHECK_THAT(run_command(import).out,
               Catch::Contains("next     hockney run --like " + folder.path() + name));
    return Arguments{built("hockney"), "run", "--like", folder.path() + name, "--dry-run"};
  };
  check_refusal(like("/unknown", {}), {{}, "import it again with --hop "});
  CHECK(run_command(like("/l3", {"--hop", "l3"})).exit_code == 0);
}

TEST_CASE("an argument that a setting gives, too, cannot be given for all") {
  const TemporaryFolder folder;
  Json config = config_of_150();
  config["settings"] = {{{"name", "a"}, {"arguments", {"--window=8"}}}, {{"name", "b"}}};
  check_refusal(run_of(folder, config, {"--", "--window", "4"}),
                {{}, "setting 'a' gives it, too, and comes later"});
}

TEST_CASE("a budget on the command line rules over the config's number of launches") {
  const TemporaryFolder folder;
  const CommandResult result =
      run_command(run_of(folder, config_of_150(), {"--budget", "4s"}), std::chrono::seconds(100));
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.starts_with("about "));
  CHECK(manifest_of(folder).at("launches") < 150);
  CHECK(manifest_of(folder).at("config").at("launches").is_null());
}

TEST_CASE("a budget that cannot hold what it must is refused before anything is made") {
  const TemporaryFolder folder;
  Json config = config_of_150();
  for (int i = 0; i < 100; ++i) config["settings"].push_back({{"name", std::to_string(i)}});
  check_refusal(run_of(folder, config, {"--budget", "1s"}),
                {{}, " s are needed for one launch of each of 100 settings) give --budget "});
  check_refusal(run_of(folder, config_of_150(), {"--budget", "1s", "--launches", "150"}),
                {{}, "or fewer --launches"});
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/out"));
}

#endif

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
  Arguments command = with({built("hockney"), "run", file, "--suspects", site.records(), "--out",
                            site.at("again"), "--dry-run"},
                           mock_launcher());
  return run_command(command);
}

}  // namespace

TEST_CASE("a campaign whose launches died at a point has an exit code of its own, and names it") {
  const TemporaryFolder folder;
  const nlohmann::json config{{"schema", "hockney.campaign/1"},
                              {"name", "dying"},
                              {"program", built("campaign_mock_launch")},
                              {"arguments", {"--behaviour", "deadly-point"}},
                              {"ranks", 2},
                              {"launches", 3}};
  Arguments command = with({built("hockney"), "run", folder.write("dying.json", config.dump()),
                            "--out", folder.path() + "/out", "--no-page", "-q"},
                           mock_launcher());
  const CommandResult result = run_command(command);
  INFO(result.out << result.err);
  CHECK(result.exit_code == static_cast<int>(ExitCode::point_died));
  CHECK(result.err ==
        "not measured: mock ranks=2 at 64 bytes: killed by signal 9, Killed, left out "
        "after 2 launches\n");
}

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
  CHECK_THAT(again.err, Catch::Contains("no suspects can be found in"));
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

}  // namespace hockney::driver
