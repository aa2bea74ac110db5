#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/outcome.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

TEST_CASE("a campaign writes one record for each launch") {
  MockCampaign campaign;
  const Manifest manifest = campaign.settings({"a", "b"}).launches(2).run();
  CHECK(manifest.status == Status::complete);
  CHECK_FALSE(what_is_missing(manifest, campaign.folder()).has_value());
  CHECK(files_in(campaign.folder().records()) ==
        Names{"a-001.json", "a-002.json", "b-001.json", "b-002.json"});
  CHECK(files_in(campaign.folder().root / "interrupted").empty());
  const Record record = load_record(campaign.folder().record("b-002"));
  REQUIRE(record.campaign.has_value());
  CHECK(record.campaign->name == "mock");
  CHECK(record.campaign->setting == "b");
  CHECK(record.campaign->launch == 2);
}

TEST_CASE("a campaign hands on its records as they would be read, of earlier drivers too") {
  MockCampaign campaign;
  campaign.settings({"a", "b"}).launches(2).run();
  const std::string folder = campaign.folder().records();
  std::filesystem::remove(campaign.folder().record("b-001"));
  campaign.resume();
  ReadRecords read = run_campaign(campaign.request(), [](const Step&) {}).records;
  CHECK(read.size() == 4);
  const std::vector<Record> loaded = load_records({folder}, Kept::times);
  CHECK(load_records({folder}, Kept::times, std::move(read)) == loaded);
}

TEST_CASE("launches are made in the order of the plan, with its seeds") {
  MockCampaign campaign;
  const Manifest manifest = campaign.settings({"a", "b", "c"}).launches(2).run();
  const auto plan = plan_launches(3, 2, 1);
  REQUIRE(manifest.attempts.size() == plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Attempt& attempt = manifest.attempts[i];
    CHECK(attempt.setting == Names{"a", "b", "c"}[plan[i].setting]);
    CHECK(attempt.launch == plan[i].launch);
    CHECK(load_record(campaign.folder().record(attempt.name())).seed == plan[i].seed);
  }
}

TEST_CASE("the manifest says all there is to say about each attempt") {
  MockCampaign campaign;
  campaign.arguments({"--behaviour", "fail", "--on-launch", "2"}).run();
  const Manifest manifest = load_manifest(campaign.folder().manifest());
  CHECK(manifest.status == Status::incomplete);
  CHECK(manifest.seed == 1);
  CHECK(manifest.launches == 3);
  CHECK(manifest.elapsed_seconds > 0);
  REQUIRE(manifest.attempts.size() == 3);
  CHECK(manifest.attempts[0].status == AttemptStatus::complete);
  CHECK(manifest.attempts[0].reason.empty());
  const Attempt& failed = manifest.attempts[1];
  CHECK(failed.status == AttemptStatus::failed);
  CHECK(failed.reason == "exit code 7: mock failure");
  CHECK(failed.exit_code == 7);
  CHECK(failed.last_lines == Names{"mock failure"});
  CHECK(failed.command.arguments.front() == HOCKNEY_MOCK_MPIRUN);
  CHECK(std::filesystem::exists(failed.log));
  CHECK(manifest.attempts[2].status == AttemptStatus::complete);
  const auto missing = what_is_missing(manifest, campaign.folder());
  REQUIRE(missing.has_value());
  CHECK(missing->problem.find("default-002") != std::string::npos);
  CHECK(missing->problem.find(failed.log) != std::string::npos);
  CHECK(missing->why == "2 of 3 launches are complete");
  CHECK(missing->suggestion.find("--resume") != std::string::npos);
}

TEST_CASE("watchers are told of every launch at its start and at its end") {
  MockCampaign campaign;
  campaign.launches(2).run();
  const auto& steps = campaign.steps();
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].position == 1);
  CHECK(steps[0].total == 2);
  CHECK(steps[0].launch == "default-001");
  CHECK_FALSE(steps[0].ended.has_value());
  CHECK_FALSE(steps[0].remaining.has_value());
  CHECK(steps[1].position == 1);
  CHECK(steps[1].ended->status == AttemptStatus::complete);
  CHECK(steps[1].remaining.has_value());
  CHECK(steps[3].position == 2);
  CHECK(steps[3].remaining == Seconds{0});
}

TEST_CASE("watchers are told how long a launch runs, and what its journal holds") {
  MockCampaign campaign;
  campaign.launches(1).arguments({"--duration", "0.5"});
  campaign.request().between_steps = {0.02};
  campaign.run();
  std::vector<RunningLaunch> reported;
  for (const Step& step : campaign.steps()) {
    CHECK_FALSE((step.running && step.ended));
    if (step.running) reported.push_back(*step.running);
  }
  REQUIRE_FALSE(reported.empty());
  CHECK(reported.front().elapsed.value > 0);
  const auto blocks = [](const RunningLaunch& one) { return one.blocks; };
  CHECK(std::ranges::max(reported, {}, blocks).blocks > 0);
}

TEST_CASE("watchers are told how narrow the intervals are, once a block is through") {
  MockCampaign campaign;
  const Manifest manifest = campaign.launches(7).run();
  const std::vector<Step>& steps = campaign.steps();
  CHECK_FALSE(steps.front().reached);
  REQUIRE(steps.back().reached);
  CHECK(steps.back().reached->points > 0);
  CHECK_FALSE(steps.back().reached->widest_at.empty());  // of six launches there are intervals
  CHECK(manifest.precision);
}

TEST_CASE("a campaign with a budget gives each launch a slot and says why so many") {
  MockCampaign campaign;
  const Manifest manifest = campaign.launches({}).budget({0.6}).run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.launches >= 3);
  CHECK(manifest.launches_because.find("a guess") == std::string::npos);
  for (const Attempt& attempt : manifest.attempts) {
    CHECK(attempt.slot_seconds > 0);
    CHECK(attempt.measuring_seconds > 0);
  }
}

TEST_CASE("a campaign stops at the first look that finds every interval narrow") {
  MockCampaign campaign;
  const Manifest manifest =
      campaign.settings({"a", "b"}).precision(0.05).arguments({"--sample", "1e-6"}).run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.attempts.size() == 16);
  CHECK(manifest.launches == 8);
  CHECK(manifest.launches_because == "every interval is within 5 % of its median");
  REQUIRE(manifest.precision);
  CHECK(manifest.precision->points == 2);
  CHECK(manifest.precision->reached());
  CHECK(manifest.precision->widest == 0);
  CHECK(what_was_reached(manifest) ==
        "8 launches of each setting (every interval is within 5 % of its median); 2 of 2 intervals "
        "are within 5 % of their median, the widest is 0 %: b: mock ranks=2 8");
}

TEST_CASE("the start-up of launches is mentioned if points were left out for it") {
  Manifest manifest{.elapsed_seconds = 3};
  manifest.attempts = {
      {.status = AttemptStatus::complete, .duration_seconds = 1.2, .measuring_seconds = 0.4},
      {.status = AttemptStatus::complete, .duration_seconds = 1.5, .measuring_seconds = 0.7}};
  CHECK_FALSE(start_up_text(manifest));
  manifest.attempts.back().points_left_out = 7;
  CHECK_THAT(start_up_text(manifest).value_or(""),
             Catch::StartsWith("2 launches took 1.6 s beside measuring (start of MPI"));
  manifest.elapsed_seconds = 60;
  CHECK_FALSE(start_up_text(manifest));
}

TEST_CASE("one that never finds them narrow ends at the most launches, and says so") {
  MockCampaign campaign;
  const Manifest manifest = campaign.precision(1e-6, 10).run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.attempts.size() == 10);
  CHECK(manifest.launches_because == "the most there may be");
  REQUIRE(manifest.precision);
  CHECK(manifest.precision->within == 0);
  CHECK(manifest.precision->widest > 0.05);
}

TEST_CASE("a launch is told the precision, so that it can end early") {
  MockCampaign campaign;
  const Manifest manifest = campaign.precision(0.05, 6).arguments({"--sample", "1"}).run();
  const Names& arguments = manifest.attempts.front().command.arguments;
  const auto option = std::ranges::find(arguments, "--precision");
  REQUIRE(option != arguments.end());
  CHECK(*std::next(option) == "0.05");
}

TEST_CASE("a campaign that waits for precision is resumed where it was") {
  MockCampaign campaign;
  campaign.precision(1e-6, 10).run();
  std::filesystem::remove(campaign.folder().record("default-003"));
  std::filesystem::remove(campaign.folder().record("default-009"));
  const Manifest manifest = campaign.resume().run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.launches == 10);
  CHECK(manifest.attempts.size() == 12);
}

TEST_CASE("a dry run prints the commands and touches nothing") {
  MockCampaign campaign;
  campaign.settings({"a"}).launches(2).request().config.settings[0].environment = {{"A", "x y"}};
  const Names lines = dry_run(campaign.request());
  REQUIRE(lines.size() == 2);
  const std::string record = campaign.folder().record("a-001");
  const std::string seed = std::to_string(plan_launches(1, 2, 1)[0].seed);
  CHECK(lines[0].starts_with(std::string("A='x y' ") + HOCKNEY_MOCK_MPIRUN));
  CHECK(lines[0].ends_with("-x A " HOCKNEY_MOCK_LAUNCH " --output " + record + " --seed " + seed +
                           " --campaign mock --setting a --launch 1"));
  CHECK_FALSE(std::filesystem::exists(campaign.folder().root));
}

TEST_CASE("files beside the config are found from any folder") {
  MockCampaign campaign;
  const std::string platform = campaign.parent().write("platform.xml", "");
  campaign.request().config.launcher.arguments = {"-platform", "platform.xml", "-x", "none.xml"};
  const Job job = launch_job(campaign.request(), {}, "r.json",
                             LaunchSlot{.measuring = {1.5}, .first_epoch = {2}});
  CHECK(job.launcher_arguments == Names{"-platform", platform, "-x", "none.xml"});
  CHECK(job.program == Names{HOCKNEY_MOCK_LAUNCH, "--output", "r.json", "--seed", "0", "--budget",
                             "1.5", "--first-epoch", "2", "--campaign", "mock", "--setting",
                             "default", "--launch", "1"});
}

}  // namespace hockney::campaign
