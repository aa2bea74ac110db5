#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// Wrong data from a launch to the verdict of a night.
namespace hockney::benchmarks {
namespace {

/// Launches of ping-pong at two sizes, of which 1024 B arrive wrong in one delivery of `every`.
nlohmann::json corrupt_campaign(const std::string& every) {
  nlohmann::json environment{{"HOCKNEY_FAULT", "type=byte,bytes=1024,every=" + every}};
  for (const std::string& variable : split(HOCKNEY_MPI_ENVIRONMENT, '|')) {
    const std::size_t equals = variable.find('=');
    environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  return {{"schema", "hockney.campaign/1"},
          {"name", "corrupt"},
          {"description", "deliveries of 1 KiB are spoilt"},
          {"program", HOCKNEY_CORRUPT "/hockney-pingpong"},
          {"arguments", {"--sizes", "64,1K", "--epochs", "2", "--samples", "5"}},
          {"ranks", 2},
          {"launches", 2},
          {"environment", environment},
          {"launcher", {{"arguments", split(HOCKNEY_LAUNCHER_FLAGS, '|')}}},
          {"settings", {{{"name", "default"}}}}};
}

}  // namespace

TEST_CASE("wrong data end in exit code 3 of run, and make a night corrupt", "[corruption]") {
  const TemporaryFolder folder;
  const std::string config = folder.write("corrupt.json", corrupt_campaign("2").dump());
  const std::string out = folder.path() + "/out";
  const auto call = [](std::vector<std::string> words) {
    words.insert(words.begin(), HOCKNEY_DRIVER);
    return run_command(words, std::chrono::seconds(100));
  };
  const std::string fault = "WRONG DATA were received at 1 point, in 2 of 2 launches: pingpong";

  const CommandResult run = call({"run", config, "--out", out});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.out, Catch::StartsWith(fault));
  CHECK_THAT(call({"report", out}).out, Catch::StartsWith(fault));
  CHECK_THAT(call({"report", out, "--all"}).out, Catch::StartsWith(fault));

#ifdef HOCKNEY_HEALTH
  const std::string history = folder.path() + "/h.sqlite";
  const CommandResult ingest = call({"health", "ingest", out, "--history", history});
  CHECK(ingest.exit_code == 1);
  CHECK_THAT(ingest.out, Catch::StartsWith("CORRUPT   " + fault));
  const CommandResult check = call({"health", "check", "--history", history});
  CHECK(check.exit_code == 1);
  CHECK_THAT(check.out, Catch::StartsWith("CORRUPT   " + fault));
  CHECK_THAT(call({"health", "check", "--reason", "--history", history}).out,
             Catch::StartsWith("ISOLATE: " + fault));
#endif
}

TEST_CASE("a campaign without wrong data says nothing of them", "[corruption]") {
  const TemporaryFolder folder;
  const std::string config = folder.write("corrupt.json", corrupt_campaign("1000000000").dump());
  const CommandResult run = run_command(
      {HOCKNEY_DRIVER, "run", config, "--out", folder.path() + "/out"}, std::chrono::seconds(100));
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("WRONG") == std::string::npos);
}

}  // namespace hockney::benchmarks
