#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/outcome.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"
#include "tests/driver/campaign/processes.hpp"

namespace hockney::campaign {
namespace {

/// A campaign run by a driver of its own process.
class DrivenCampaign {
 public:
  explicit DrivenCampaign(int launches, std::vector<std::string> arguments) {
    campaign_.settings({"a", "b"}).launches(launches).arguments(std::move(arguments));
    config_ = campaign_.parent().write("config.json", to_json(campaign_.request().config).dump());
  }

  [[nodiscard]] pid_t start(bool resume) const {
    std::vector<std::string> arguments{HOCKNEY_MOCK_DRIVER, config_, campaign_.request().folder};
    if (resume) arguments.emplace_back("--resume");
    return start_program(arguments, log());
  }
  [[nodiscard]] std::string log() const { return campaign_.parent().path() + "/driver.log"; }
  [[nodiscard]] MockCampaign& campaign() { return campaign_; }
  [[nodiscard]] const MockCampaign& campaign() const { return campaign_; }
  [[nodiscard]] bool is_running() const {
    return hockney::campaign::is_running(campaign_.folder().records());
  }

 private:
  mutable MockCampaign campaign_;
  std::string config_;
};

/// Content by file name; every record must load and be complete.
std::map<std::string, std::string> whole_records(const Folder& folder) {
  std::map<std::string, std::string> contents;
  if (!std::filesystem::exists(folder.records())) return contents;
  for (const std::string& name : files_in(folder.records())) {
    if (!name.ends_with(".json")) continue;
    const std::string file = folder.records() + "/" + name;
    REQUIRE_NOTHROW(load_record(file));
    CHECK(load_record(file).status == LaunchStatus::complete);
    contents[name] = read_file(file);
  }
  return contents;
}

/// The driver or, when there is one just now, the launch.
pid_t victim(pid_t driver, bool launch) {
  const std::vector<pid_t> below = descendants(driver);
  return launch && below.size() > 1 ? below.back() : driver;
}

/// The first launch of each setting is made; the second hangs until `cure` exists, so that a
/// campaign is still under way whenever it is looked at.
std::vector<std::string> endless(const std::string& cure) {
  return {"--behaviour", "hang", "--on-launch", "2", "--until-file", cure};
}

int rounds() {
  const char* requested = std::getenv("HOCKNEY_KILL_ROUNDS");
  return requested == nullptr ? 15 : std::atoi(requested);
}

}  // namespace

TEST_CASE("kill -9 at any moment costs no more than the launch under way") {
  const DrivenCampaign driven(2 * rounds(), {"--duration", "0.05"});
  const Folder folder = driven.campaign().folder();
  std::mt19937 random(20260301);  // NOLINT: a fixed seed makes the test repeatable
  std::uniform_int_distribution<int> wait_ms(0, 120);
  std::map<std::string, std::string> known;
  for (int round = 0; round < rounds(); ++round) {
    CAPTURE(round);
    const pid_t driver = driven.start(round > 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms(random)));
    ::kill(victim(driver, random() % 2 == 0), SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms(random) / 2));
    ::kill(driver, SIGKILL);
    wait_for(driver);
    CHECK(comes_true([&] { return !driven.is_running(); }));
    const auto now = whole_records(folder);
    for (const auto& [name, content] : known) CHECK(now.at(name) == content);
    known = now;
    if (std::filesystem::exists(folder.manifest())) {
      CHECK_NOTHROW(load_manifest(folder.manifest()));
    }
  }
  const auto all = static_cast<std::size_t>(4 * rounds());
  // The kills did strike a campaign under way: all launches take longer than all waits together.
  CHECK(known.size() < all);
  CHECK(wait_for(driven.start(true)) == 0);
  const auto finally = whole_records(folder);
  CHECK(finally.size() == all);
  for (const auto& [name, content] : known) CHECK(finally.at(name) == content);
  CHECK(files_in(folder.records()).size() == all);  // no journals, no temporary files
  CHECK(load_manifest(folder.manifest()).status == Status::complete);
}

TEST_CASE("a driver that is killed takes its launch with it, and the journal is kept") {
  DrivenCampaign driven(1, {"--behaviour", "stubborn", "--until-file", "/no/such/file"});
  const pid_t driver = driven.start(false);
  const Folder folder = driven.campaign().folder();
  const auto is_hanging = [&] {
    return std::filesystem::exists(folder.log("a-001", 1)) &&
           last_lines(folder.log("a-001", 1), 1) == std::vector<std::string>{"hanging"};
  };
  const auto other_hangs = [&] {
    return std::filesystem::exists(folder.log("b-001", 1)) &&
           last_lines(folder.log("b-001", 1), 1) == std::vector<std::string>{"hanging"};
  };
  REQUIRE(comes_true([&] { return is_hanging() || other_hangs(); }));
  ::kill(driver, SIGKILL);
  CHECK(wait_for(driver) == -SIGKILL);
  CHECK(comes_true([&] { return !driven.is_running(); }));
  const std::string name = std::filesystem::exists(folder.log("a-001", 1)) ? "a-001" : "b-001";
  LaunchRecord launch(folder.record(name));
  CHECK(salvage(folder, name, 1, launch).has_value());
}

TEST_CASE("a request to end is met cleanly and the campaign can be resumed") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2);
  CAPTURE(signal);
  const TemporaryFolder outside;
  const std::string cure = outside.path() + "/cure";
  const DrivenCampaign driven(3, endless(cure));
  const Folder folder = driven.campaign().folder();
  const pid_t driver = driven.start(false);
  REQUIRE(comes_true([&] { return !whole_records(folder).empty(); }));
  ::kill(driver, signal);
  CHECK(wait_for(driver) == 3);
  CHECK_FALSE(driven.is_running());
  const Manifest manifest = load_manifest(folder.manifest());
  CHECK(manifest.status == Status::interrupted);
  for (const Attempt& attempt : manifest.attempts) {
    CHECK(attempt.status != AttemptStatus::running);
    CHECK(attempt.status != AttemptStatus::failed);
  }
  CHECK(read_file(driven.log()).find("--resume") != std::string::npos);
  const auto before = whole_records(folder);
  outside.write("cure", "");
  CHECK(wait_for(driven.start(true)) == 0);
  const auto after = whole_records(folder);
  CHECK(after.size() == 6);
  for (const auto& [name, content] : before) CHECK(after.at(name) == content);
}

TEST_CASE("two drivers never share a folder") {
  const DrivenCampaign driven(2, endless("/no/such/file"));
  const pid_t first = driven.start(false);
  REQUIRE(comes_true([&] { return !whole_records(driven.campaign().folder()).empty(); }));
  const pid_t second = driven.start(true);
  CHECK(wait_for(second) == 2);
  CHECK(read_file(driven.log()).find("process " + std::to_string(first)) != std::string::npos);
  ::kill(first, SIGTERM);
  CHECK(wait_for(first) == 3);
}

}  // namespace hockney::campaign
