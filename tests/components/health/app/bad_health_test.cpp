#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>

#include "tests/driver/bad_input.hpp"
#include "tests/support/nightly_site.hpp"

// What every command of `hockney health` refuses, in one line.
namespace hockney::health {

using namespace driver;  // what starts commands
namespace {

const Arguments health_program{built("hockney"), "health"};

const std::vector<BadInput> with_history{
    {{"check", "--day", "2026-10-09"}, "no night of 2026-10-09 (the history has those from"},
    {{"forget", "yesterday"}, "bad day 'yesterday'"},
    {{"check", "--day", "1999-12-31"}, "bad day '1999-12-31' (it is no day of the calendar since"},
    {{"forget", "2026-10-09"}, "did you mean '2026-10-01'?"},
    {{"forget", "2026-09-09", "--dry-run"}, "no night of 2026-09-09 (the history has those from"},
    {{"forget", "2026-10-01", "--campaign", "nigthly"}, "did you mean 'nightly'?"},
    {{"check", "--practical", "3"}, "bad value '3' for --practical"},
    {{"check", "--practical", "0%"}, "bad value '0%' for --practical"},
    {{"check", "--threshold", "-1"}, "bad value '-1' for --threshold"},
    {{"check", "--threshold", "nan"}, "bad value 'nan' for --threshold"},
    {{"check", "--baseline-nights", "2"}, "bad value '2' for --baseline-nights"},
    {{"check", "--recent-nights", "0"}, "bad value '0' for --recent-nights"},
    {{"check", "--series", "pingpnog"}, "unknown series 'pingpnog'"},
    {{"check", "--history", ""}, "empty value for --history"},
    {{"calibrate"}, "nothing to calibrate with"},
    {{"calibrate", "--false-alarms", "0"}, "bad value '0' for --false-alarms"},
    {{"calibrate", "--series-years", "x"}, "bad value 'x' for --series-years"},
    {{"accept", "pingpnog", "--day", "2026-10-01"}, "unknown series 'pingpnog'"},
    {{"maintenance", "--from", "2026-01-02", "--to", "2026-01-01"}, "ends before it begins"},
    {{"list", "nigths"}, "did you mean 'nights'?"},
    {{"list", "series", "--series", "pingpnog"}, "unknown series 'pingpnog'"},
};

/// A site with one night in its history.
struct OneNight : NightlySite {
  std::string history = at("history.sqlite");

  OneNight() {
    add_night(parse_day("2026-10-01"), 1);
    const CommandResult result =
        run_command({built("hockney"), "health", "ingest", records(), "--history", history});
    REQUIRE(result.exit_code == 0);
  }

  [[nodiscard]] Arguments with_history(Arguments arguments) const {
    if (std::ranges::find(arguments, "--history") == arguments.end()) {
      arguments.insert(arguments.end(), {"--history", history});
    }
    return arguments;
  }
};

}  // namespace

TEST_CASE("hockney health refuses what a history does not have") {
  const OneNight site;
  for (BadInput bad : with_history) {
    bad.arguments = site.with_history(bad.arguments);
    check_refusal(health_program, bad);
  }
}

TEST_CASE("a file that cannot be written costs no verdict of a night") {
  const OneNight site;
  for (const char* option : {"--junit", "--jsonl"}) {
    Arguments command = health_program;
    for (const std::string& word : site.with_history({"check", option, "/no/folder/j"})) {
      command.push_back(word);
    }
    const CommandResult result = run_command(command);
    INFO(option << result.out << result.err);
    CHECK(result.exit_code == run_failed);
    CHECK_THAT(result.out, Catch::StartsWith("LEARNING"));
    CHECK_THAT(result.err, Catch::StartsWith("cannot write '/no/folder/j'"));
  }
}

TEST_CASE("folders without complete records are refused") {
  const NightlySite site;
  const std::string empty = site.folder().write("a/manifest.json", "{}");
  const std::string history = site.at("h.sqlite");
  check_refusal(health_program,
                {{"ingest", site.at("a"), "--history", history}, "no complete record"});
  check_refusal(health_program,
                {{"ingest", empty, "--history", history}, "does not say which document it is"});
  site.folder().write("b/1.json", "{\"schema\": \"hockney.record/1\"");
  check_refusal(health_program, {{"ingest", site.at("b"), "--history", history}, "cannot be read"});
}

TEST_CASE("a refused record or folder costs no other night") {
  const NightlySite site;
  const std::string history = site.at("h.sqlite");
  site.folder().write("nights/0/1.json", "{\"schema\": \"hockney.record/2\"");
  for (const char* night : {"1", "2", "3"}) {
    std::filesystem::create_directories(site.at("nights") + "/" + night);
  }
  save_record(nightly_launch("default", 1), site.at("nights/1/1.json"));
  Record other = nightly_launch("default", 2);
  other.campaign->name = "weekly";
  save_record(nightly_launch("default", 3), site.at("nights/2/1.json"));
  save_record(other, site.at("nights/2/2.json"));
  Record next = nightly_launch("default", 4);
  next.started_utc = "2026-11-23T01:00:00Z";
  save_record(next, site.at("nights/3/1.json"));
  Arguments command = health_program;
  for (const std::string& word :
       {std::string("ingest"), site.at("nights"), std::string("--history"), history}) {
    command.push_back(word);
  }
  const CommandResult result = run_command(command);
  CHECK(result.exit_code == bad_input);
  CHECK_THAT(result.err, Catch::Contains(site.at("nights/0/1.json")) &&
                             Catch::Contains("holds records of two campaigns"));
  CHECK_THAT(result.out, Catch::Contains("2026-11-22 campaign 'nightly': 1 record") &&
                             Catch::Contains("2026-11-23 campaign 'nightly': 1 record"));
}

TEST_CASE("files that are no histories are refused by every command") {
  const OneNight site;
  const std::string text = site.folder().write("text", std::string(2000, 'x'));
  const Arguments more{"--history", text};
  for (Arguments command :
       std::vector<Arguments>{{"check"},
                              {"calibrate"},
                              {"list"},
                              {"note", "x"},
                              {"ingest", site.records()},
                              {"accept", "x", "--day", "2026-01-01"},
                              {"maintenance", "--from", "2026-01-01", "--to", "2026-01-01"}}) {
    command.insert(command.end(), more.begin(), more.end());
    check_refusal(health_program, {command, "is no history (it is not a file of SQLite)"});
  }
}

TEST_CASE("a locked history is a failed run of one line") {
  const OneNight site;
  SQLite::Database writer(site.history, SQLite::OPEN_READWRITE);
  writer.exec("BEGIN IMMEDIATE");
  check_refusal(health_program, {{"note", "x", "--wait", "1ms", "--history", site.history},
                                 "is locked (another program is writing to it)",
                                 run_failed});
  // Readers do not wait for writers.
  CHECK(run_command({built("hockney"), "health", "list", "--history", site.history}).exit_code ==
        0);
}

TEST_CASE("a history of a newer hockney is refused") {
  const OneNight site;
  SQLite::Database(site.history, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  check_refusal(health_program,
                {{"check", "--history", site.history}, "is newer than this hockney"});
  check_refusal(health_program,
                {{"note", "x", "--history", site.history}, "is newer than this hockney"});
}

}  // namespace hockney::health
