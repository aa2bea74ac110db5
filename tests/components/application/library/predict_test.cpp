#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "components/application/profile/event_log.hpp"
#include "core/record_file.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/temporary_folder.hpp"

// hockney predict --profile, of a program that runs here, on a machine that was never measured.
namespace hockney::profile {
namespace {

/// 2 us + 1 ns/B between two ranks that share a cache.
std::string made_up_machine(const TemporaryFolder& folder) {
  const std::string file = folder.path() + "/machine.json";
  save_record(pingpong_launch(2e-6, 1e-9), file);
  return file;
}

}  // namespace

TEST_CASE("what a program would take otherwise is told with the error of its models") {
  const TemporaryFolder folder;
  const std::string machine = made_up_machine(folder);
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "finalize"}, {"--log"});
  INFO(run.err);
  REQUIRE(std::filesystem::exists(events_file(file)));
  const std::vector<std::string> command{driver::built("hockney"), "predict", machine, "--profile",
                                         file};
  const auto reported = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = command;
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--json");
    const CommandResult result = run_command(words);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out);
  };
  const nlohmann::json usual = reported({});
  CHECK(usual.at("schema") == "hockney.projection/1");
  CHECK(usual.at("measured_seconds").get<double>() ==
        Approx(load_profile(file).seconds).epsilon(1e-6));
  CHECK(
      usual.at("model_error").get<double>() ==
      Approx(usual.at("model_seconds").get<double>() / usual.at("measured_seconds").get<double>() -
             1));
  CHECK(usual.at("answers").size() == 3);
  for (const auto& answer : usual.at("answers")) {
    CHECK(answer.at("cannot_tell_because").is_null());
    CHECK(answer.at("range_seconds").at("low") <= answer.at("seconds"));
    CHECK(answer.at("seconds") <= answer.at("range_seconds").at("high"));
  }
  const nlohmann::json both = reported({"--bandwidth", "2", "--eager-limit", "4K"});
  REQUIRE(both.at("answers").size() == 1);
  CHECK(both.at("answers")[0].at("question") == "eager limit 4K, bandwidth x 2.00");
  const CommandResult screen = run_command(command);
  CHECK(screen.exit_code == 0);
  CHECK_THAT(screen.out, Catch::Contains("by the models") && Catch::Contains("what if"));

  const auto refuses = [&](const std::vector<std::string>& more, const std::string& words) {
    driver::check_refusal(command, {.arguments = more, .words = words});
  };
  refuses({"--map", "blcks"}, "Valid: blocks, round-robin");
  refuses({"--algorithm", "ring"}, "such as allreduce=ring");
  refuses({"--algorithm", "allreduce=rng"}, "did you mean 'ring'?");
  refuses({"--eager-limit", "much"}, "much");
  refuses({"--bandwidth", "0"}, "0");
  refuses({"--operation", "bcast"}, "excludes");
  refuses({"--setting", "other"}, "the setting 'other' has none");
  refuses({"--machine", "/nowhere"}, "/nowhere");
  std::filesystem::remove(events_file(file));
  refuses({}, "profile.events");
  driver::check_refusal({driver::built("hockney"), "predict", machine},
                        {.arguments = {"--bandwidth", "2"}, .words = "--bandwidth requires"});
}

}  // namespace hockney::profile
