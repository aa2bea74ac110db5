#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// Real MPI from end to end: a campaign, its records, the verdicts and the exit code.
namespace hockney::benchmarks {
namespace {

/// Eight launches of MPI_Bcast against the library's own, with so much planted in every call [us].
nlohmann::json campaign(int planted) {
  std::map<std::string, std::string> environment{
      {"LD_PRELOAD", HOCKNEY_SLOW_BCAST},
      {"HOCKNEY_PLANTED_MICROSECONDS", std::to_string(planted)}};
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
          {"launches", 8},
          {"environment", environment},
          {"launcher", {{"arguments", split(HOCKNEY_LAUNCHER_FLAGS, '|')}}},
          {"settings", {{{"name", "default"}}}}};
}

/// A finished campaign with so much planted [us].
class Campaign {
 public:
  explicit Campaign(int planted) {
    const std::string config = folder_.write("planted.json", campaign(planted).dump());
    const CommandResult run =
        run_command({HOCKNEY_DRIVER, "run", config, "--out", out()}, std::chrono::seconds(100));
    INFO(run.out << run.err);
    REQUIRE(run.exit_code == 0);
  }

  /// A call through a tool that does nothing takes longer than none, by 6 % at 64 bytes here.
  [[nodiscard]] CommandResult judge() const {
    return run_command({HOCKNEY_DRIVER, "guidelines", out(), "--json", "--delta", "25%"});
  }
  [[nodiscard]] std::vector<Record> records() const { return load_records({out()}); }

 private:
  [[nodiscard]] std::string out() const { return folder_.path() + "/out"; }

  TemporaryFolder folder_;
};

}  // namespace

// What a busy machine can do to the times does not matter here: nothing that it does makes a call
// shorter than what is planted. How often planted faults are found is in tests/benchmarks and in
// the simulator (tests/simulation).
TEST_CASE("what is planted into every Bcast is in its times, and is judged at every size by name") {
  const Campaign campaign(200);
  const CommandResult result = campaign.judge();
  INFO(result.out << result.err);
  std::size_t violated = 0;
  const auto verdicts = nlohmann::json::parse(result.out).at("verdicts");
  CHECK(verdicts.size() == 2);
  for (const auto& verdict : verdicts) {
    INFO(verdict.dump(1));
    CHECK(verdict.at("guideline") == "bcast <= bcast without tools");
    CHECK(verdict.at("lhs") == "bcast");
    CHECK(verdict.at("verdict") != "satisfied");
    if (verdict.at("verdict") == "violated") ++violated;
  }
  CHECK(result.exit_code == (violated > 0 ? 1 : 0));

  const std::vector<Record> records = campaign.records();
  std::size_t slowed = 0;
  for (const TimedSeries& timed : timed_series(records).series) {
    if (timed.series->point.operation != "bcast") continue;
    CHECK(timed.seconds >= 200e-6);
    ++slowed;
  }
  CHECK(slowed == 2 * 8);
}

TEST_CASE("a Bcast from which nothing is held back is no violation") {
  const CommandResult result = Campaign(0).judge();
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  const auto verdicts = nlohmann::json::parse(result.out).at("verdicts");
  CHECK(verdicts.size() == 2);
  for (const auto& verdict : verdicts) {
    CHECK(verdict.at("verdict") != "violated");
  }
}

}  // namespace hockney::benchmarks
