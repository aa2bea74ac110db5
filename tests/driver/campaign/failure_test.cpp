#include <catch2/catch.hpp>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/outcome.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"
#include "tests/driver/campaign/processes.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

namespace {

/// For launches that hang. The others have to be done within it too, however busy the machine is.
constexpr Seconds patience{3};

/// Three launches, the second of which misbehaves; the second attempt.
struct Misbehaviour {
  MockCampaign campaign;
  Manifest manifest;

  explicit Misbehaviour(const std::string& behaviour, const Names& launcher_arguments = {},
                        Seconds limit = patience) {
    campaign.arguments({"--behaviour", behaviour, "--on-launch", "2"}).timeout(limit);
    campaign.request().config.launcher.arguments = launcher_arguments;
    manifest = campaign.run();
  }
  [[nodiscard]] const Attempt& attempt() const { return manifest.attempts.at(1); }
};

void check_others_complete(const Misbehaviour& run) {
  CHECK(run.manifest.attempts.size() == 3);
  CHECK(run.campaign.is_complete("default-001"));
  CHECK(run.campaign.is_complete("default-003"));
  CHECK_FALSE(is_running(run.campaign.folder().root.string()));
}

}  // namespace

TEST_CASE("a launch that writes no record has failed") {
  const Misbehaviour run("silent");
  CHECK(run.attempt().status == AttemptStatus::failed);
  CHECK(run.attempt().reason == "no record was written");
  check_others_complete(run);
}

TEST_CASE("a launch killed by a signal has failed") {
  const Misbehaviour run("crash");
  CHECK(run.attempt().status == AttemptStatus::failed);
  CHECK(run.attempt().signal == SIGKILL);
  CHECK(run.attempt().reason.starts_with("killed by signal 9"));
  check_others_complete(run);
}

TEST_CASE("garbage is put away and is no record") {
  const Misbehaviour run("garbage");
  CHECK(run.attempt().status == AttemptStatus::failed);
  CHECK(files_in(run.campaign.folder().records()) == Names{"default-001.json", "default-003.json"});
  CHECK(files_in(run.campaign.folder().root / "interrupted") == Names{"default-002-1.unreadable"});
  check_others_complete(run);
}

TEST_CASE("a record that says it is unfinished is kept, but not as a record") {
  const Misbehaviour run("unfinished");
  CHECK(run.attempt().status == AttemptStatus::failed);
  CHECK(files_in(run.campaign.folder().root / "interrupted") == Names{"default-002-1.json"});
  check_others_complete(run);
}

TEST_CASE("a complete record counts though the launcher fails after it") {
  const Misbehaviour run("late-failure");
  CHECK(run.manifest.status == Status::complete);
  CHECK(run.attempt().status == AttemptStatus::complete);
  CHECK(run.attempt().exit_code == 9);
  CHECK(run.attempt().reason == "exit code 9, though the record is complete");
  check_others_complete(run);
}

TEST_CASE("settings without any complete launch are named, those that were never tried are not") {
  Manifest manifest;
  for (const char* const name : {"good", "bad", "late", "mixed"}) {
    manifest.config.settings.push_back({.name = name});
  }
  const auto add = [&](const char* setting, AttemptStatus status) {
    manifest.attempts.push_back({.setting = setting, .status = status});
  };
  add("good", AttemptStatus::complete);
  add("bad", AttemptStatus::failed);
  add("mixed", AttemptStatus::failed);
  add("mixed", AttemptStatus::complete);
  CHECK(settings_that_failed(manifest) == Names{"bad"});
}

TEST_CASE("a campaign whose settings all fail alike ends after the first block") {
  MockCampaign campaign;
  campaign.settings({"a", "b"}).launches(6).arguments({"--behaviour", "fail"});
  const Manifest manifest = campaign.run();
  CHECK(manifest.status == Status::incomplete);
  CHECK(manifest.attempts.size() == 2);
  CHECK_THAT(what_is_missing(manifest, campaign.folder())->problem,
             Catch::StartsWith("no setting runs: launch a-001 failed (exit code 7: mock failure)"));
  // Each driver sees for itself.
  CHECK(campaign.resume().run().attempts.size() == 4);
}

TEST_CASE("one failed launch ends no campaign of one setting, two do") {
  MockCampaign once;
  once.launches(5).arguments({"--behaviour", "fail", "--on-launch", "1"});
  CHECK(once.run().attempts.size() == 5);
  MockCampaign always;
  CHECK(always.launches(5).arguments({"--behaviour", "fail"}).run().attempts.size() == 2);
}

TEST_CASE("a setting that fails alike three times is given up, the others go on") {
  MockCampaign campaign;
  campaign.settings({"good", "bad"}).launches(5);
  campaign.request().config.settings[1].arguments = {"--behaviour", "fail"};
  const Manifest manifest = campaign.run();
  CHECK(manifest.status == Status::incomplete);
  CHECK(manifest.tries("good", 5) == 1);
  CHECK(manifest.tries("bad", 3) == 1);
  CHECK(manifest.tries("bad", 4) == 0);
  CHECK(failing_settings(manifest) == Names{"bad"});
  CHECK_THAT(what_is_missing(manifest, campaign.folder())->problem,
             Catch::StartsWith("bad does not run: launch bad-001 failed"));
}

TEST_CASE("settings that fail each in its own way are tried three times") {
  MockCampaign campaign;
  campaign.settings({"a", "b"}).launches(5);
  campaign.request().config.settings[0].arguments = {"--behaviour", "fail"};
  campaign.request().config.settings[1].arguments = {"--behaviour", "silent"};
  CHECK(campaign.run().attempts.size() == 6);
}

TEST_CASE("a launch that hangs is ended, and what it measured is kept") {
  const std::string behaviour = GENERATE("hang", "stubborn");
  CAPTURE(behaviour);
  const Misbehaviour run(behaviour);
  CHECK(run.attempt().status == AttemptStatus::failed);
  CHECK(run.attempt().reason == "not done within 3 s: hanging");
  check_others_complete(run);
  const std::string remains = run.campaign.folder().leftover("default-002", 1) + ".json";
  CHECK(run.attempt().remains == remains);
  const Record record = load_record(remains);
  CHECK(record.status == LaunchStatus::interrupted);
  REQUIRE(record.series.size() == 1);
  CHECK(record.series[0].samples_seconds == std::vector<double>{1});
  CHECK(files_in(run.campaign.folder().records()) == Names{"default-001.json", "default-003.json"});
}

TEST_CASE("a launch that refuses its arguments ends the campaign in its own words") {
  MockCampaign campaign;
  campaign.launches(150).arguments({"--behaviour", "refuse"});
  CHECK_THROWS_MATCHES(campaign.run(), InputError,
                       Catch::Message("unknown option '--mock' (it is none) see --help"));
  const Manifest manifest = load_manifest(campaign.folder().manifest());
  CHECK(manifest.status == Status::incomplete);
  REQUIRE(manifest.attempts.size() == 1);
  CHECK(manifest.attempts[0].status == AttemptStatus::failed);
  CHECK(manifest.attempts[0].exit_code == 2);
  // On resuming, too: what was measured before is kept.
  MockCampaign later;
  later.launches(4).arguments({"--behaviour", "refuse", "--on-launch", "2"});
  CHECK_THROWS_AS(later.run(), InputError);
  CHECK(files_in(later.folder().records()) == Names{"default-001.json"});
  CHECK_THROWS_AS(later.resume().run(), InputError);
  CHECK(files_in(later.folder().records()) == Names{"default-001.json"});
}

TEST_CASE("what a program says is told apart from what its launcher adds") {
  const TemporaryFolder folder;
  const std::string ruler(80, '-');
  const std::string ours = "bad size 'abc' (it is no number of bytes) " + std::string(300, 'x');
  const auto refused = [&](const std::string& text) {
    return refusal_of({.end = ProcessEnd::exited, .exit_code = 2}, folder.write("log", text));
  };
  const std::string open_mpi = ruler + "\nmpirun detected that one or more processes exited\n\n" +
                               "  Exit code:    2\n" + ruler + "\n";
  CHECK(refused("a warning\n" + ours + "\n" + open_mpi)->problem == ours);
  CHECK(refused(ours + "\nsrun: error: node1: task 0: Exited with exit code 2\n")->problem == ours);
  CHECK(refused("")->problem == "the program refuses its arguments");
  CHECK_FALSE(refusal_of({.end = ProcessEnd::exited, .exit_code = 3}, "no log"));
  CHECK_FALSE(refusal_of({.end = ProcessEnd::timed_out, .exit_code = 2}, "no log"));
}

TEST_CASE("a campaign may be given more time when it is resumed") {
  MockCampaign campaign;
  campaign.launches(std::nullopt).budget({0.5}).run();
  campaign.request().config.budget = Seconds{1};
  CHECK(campaign.resume().run().config.budget == Seconds{1});
}

TEST_CASE("a budget that cannot hold one launch of each setting ends the campaign at once") {
  MockCampaign campaign;
  campaign.settings({"a", "b", "c", "d"}).launches(std::nullopt).budget({3});
  campaign.request().terms.start_up = Seconds{2};
  CHECK_THROWS_WITH(campaign.run(),
                    Catch::StartsWith("a budget of 3 s is too small (about 8.2 s are needed "
                                      "for one launch of each of 4 settings) give --budget 1"));
  CHECK(files_in(campaign.folder().records()).empty());
  CHECK(load_manifest(campaign.folder().manifest()).status == Status::incomplete);
}

TEST_CASE("a launch that the budget cuts short says so") {
  MockCampaign campaign;
  // Launches that hang are given ten seconds at least, which a timeout above them shows.
  campaign.launches(std::nullopt).budget({0.5}).timeout({60}).arguments({"--behaviour", "hang"});
  CHECK_THAT(campaign.run().attempts.at(0).reason,
             Catch::StartsWith("not done within 10 s: hanging; a larger --budget"));
}

TEST_CASE("ranks that a dying launcher leaves behind are killed") {
  const Misbehaviour run("stubborn", {"--mock-fork"});
  CHECK(run.attempt().status == AttemptStatus::failed);
  check_others_complete(run);
}

TEST_CASE("a process that outlives a launch in its own session is killed and mentioned") {
  const Misbehaviour run("stray", {}, {60});  // it ends by itself, on a busy machine late
  CHECK(run.attempt().status == AttemptStatus::complete);
  CHECK(run.attempt().reason == "1 process outlived the launcher");
  check_others_complete(run);
}

TEST_CASE("resuming makes what failed or is missing again and keeps the rest") {
  MockCampaign campaign;
  const std::string cure = campaign.parent().path() + "/cure";
  campaign.settings({"a", "b"})
      .launches(3)
      .arguments({"--behaviour", "fail", "--on-launch", "2", "--until-file", cure});
  CHECK(campaign.run().status == Status::incomplete);
  const std::string kept = read_file(campaign.folder().record("a-001"));
  std::filesystem::remove(campaign.folder().record("b-003"));
  campaign.parent().write("cure", "");
  const Manifest manifest = campaign.resume().run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.attempts.size() == 6 + 3);
  CHECK(campaign.steps().size() == 2 * 3);
  CHECK(manifest.tries("a", 2) == 2);
  CHECK(manifest.tries("b", 3) == 2);
  CHECK(manifest.tries("a", 1) == 1);
  CHECK(read_file(campaign.folder().record("a-001")) == kept);
  CHECK(campaign.run().attempts.size() == 9);  // nothing left to do
}

TEST_CASE("a folder that is used is not used again without being told to") {
  MockCampaign campaign;
  campaign.run();
  CHECK_THROWS_WITH(campaign.run(), Catch::Contains("--resume"));
  std::filesystem::remove(campaign.folder().manifest());
  CHECK_THROWS_AS(campaign.run(), InputError);
  CHECK_THROWS_AS(campaign.resume().run(), InputError);
}

TEST_CASE("a campaign is resumed only as it was begun") {
  MockCampaign campaign;
  campaign.settings({"a", "b"}).run();
  campaign.resume();
  const Request good = campaign.request();
  const auto differs = [&](const std::string& key, auto change) {
    campaign.request() = good;
    change(campaign.request());
    CHECK_THROWS_WITH(campaign.run(), Catch::StartsWith("'" + key + "' differs"));
  };
  differs("launches", [](auto& request) { request.config.launches = 4; });
  differs("arguments", [](auto& request) { request.config.arguments = {"--x"}; });
  differs("settings", [](auto& request) { request.config.settings.pop_back(); });
  differs("settings[1].name", [](auto& request) { request.config.settings[1].name = "c"; });
  differs("settings[0].environment.A",
          [](auto& request) { request.config.settings[0].environment["A"] = "1"; });
  differs("launcher.dialect",
          [](auto& request) { request.config.launcher.dialect = Dialect::srun; });
  differs("ranks", [](auto& request) { request.ranks = 3; });
  differs("seed", [](auto& request) { request.seed = 2; });
  campaign.request() = good;
  campaign.request().config.description = "other words";
  campaign.request().config.launch_timeout = {5};
  campaign.request().seed.reset();
  CHECK(campaign.run().status == Status::complete);
}

TEST_CASE("a campaign with secrets is resumed with them, and its manifest keeps none") {
  MockCampaign campaign;
  campaign.request().config.environment = {{"MOCK_TOKEN", "hunter2"}};
  campaign.launches(2).run();
  std::filesystem::remove(campaign.folder().record("default-002"));
  // Without a config of its own `hockney run --resume` takes that of the folder.
  campaign.request().config = load_manifest(campaign.folder().manifest()).config;
  const Manifest manifest = campaign.resume().run();
  CHECK(manifest.status == Status::complete);
  REQUIRE(manifest.attempts.size() == 3);
  CHECK(manifest.attempts.back().command.environment.at("MOCK_TOKEN") == "hunter2");
  CHECK(read_file(campaign.folder().manifest()).find("hunter2") == std::string::npos);
}

TEST_CASE("a manifest cut short is an input error") {
  MockCampaign campaign;
  campaign.run();
  const std::string file = campaign.folder().manifest();
  const std::string whole = read_file(file);
  write_atomically(file, whole.substr(0, whole.size() / 2));
  CHECK_THROWS_AS(campaign.resume().run(), InputError);
}

}  // namespace hockney::campaign
