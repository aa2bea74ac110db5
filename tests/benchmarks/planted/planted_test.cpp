// Real MPI from end to end: a campaign, its records, the verdicts and the exit code.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::benchmarks {
namespace {

/// Six launches of MPI_Bcast against the library's own, with so much planted [%].
nlohmann::json campaign(int percent) {
  std::map<std::string, std::string> environment{
      {"LD_PRELOAD", HOCKNEY_SLOW_BCAST}, {"HOCKNEY_PLANTED_PERCENT", std::to_string(percent)}};
  for (const std::string& variable : split(HOCKNEY_MPI_ENVIRONMENT, '|')) {
    const std::size_t equals = variable.find('=');
    environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  return {{"schema", "hockney.campaign/1"},
          {"name", "planted"},
          {"description", "MPI_Bcast is slowed from outside"},
          {"program", HOCKNEY_PROGRAM},
          {"arguments",
           {"--guidelines", "bcast <= bcast without tools", "--sizes", "64,64K", "--epochs", "6",
            "--samples", "5"}},
          {"ranks", 2},
          {"launches", 6},
          {"environment", environment},
          {"launcher", {{"arguments", split(HOCKNEY_LAUNCHER_FLAGS, '|')}}},
          {"settings", {{{"name", "default"}}}}};
}

CommandResult judge(int percent) {
  const TemporaryFolder folder;
  const std::string config = folder.write("planted.json", campaign(percent).dump());
  const std::string out = folder.path() + "/out";
  const CommandResult run =
      run_command({HOCKNEY_DRIVER, "run", config, "--out", out}, std::chrono::seconds(100));
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  // A call through a tool that does nothing takes longer than none, by 6 % at 64 bytes here.
  return run_command({HOCKNEY_DRIVER, "guidelines", out, "--json", "--delta", "25%"});
}

}  // namespace

TEST_CASE("a Bcast that takes nine tenths longer is found at every size, by name") {
  const CommandResult result = judge(90);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 1);
  const auto verdicts = nlohmann::json::parse(result.out).at("verdicts");
  CHECK(verdicts.size() == 2);
  for (const auto& verdict : verdicts) {
    INFO(verdict.dump(1));
    CHECK(verdict.at("guideline") == "bcast <= bcast without tools");
    CHECK(verdict.at("lhs") == "bcast");
    CHECK(verdict.at("verdict") == "violated");
  }
}

TEST_CASE("a Bcast from which nothing is held back is no violation") {
  const CommandResult result = judge(0);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  const auto verdicts = nlohmann::json::parse(result.out).at("verdicts");
  CHECK(verdicts.size() == 2);
  for (const auto& verdict : verdicts) {
    CHECK(verdict.at("verdict") != "violated");
  }
}

}  // namespace hockney::benchmarks
