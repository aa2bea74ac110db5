#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/atomic_file.hpp"
#include "driver/campaign/request.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {
namespace {

/// Variables of the environment while it lives.
class Variables {
 public:
  explicit Variables(std::vector<std::pair<std::string, std::string>> all) : all_(std::move(all)) {
    for (const auto& [name, value] : all_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  Variables(Variables&&) = delete;
  Variables& operator=(Variables&&) = delete;
  ~Variables() {
    for (const auto& [name, value] : all_) ::unsetenv(name.c_str());
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

std::string says_an_hour(const std::string& job, const std::string& format) {
  return job == "12" && format == "%L" ? "1:00:00\n" : "";
}

std::optional<Seconds> time_left(const std::string& text) {
  const Variables variables(std::vector{std::pair<std::string, std::string>("SLURM_JOB_ID", "12")});
  return current_allocation([&](const auto&, const auto&) { return text; })->time_left;
}

}  // namespace

TEST_CASE("times that Slurm writes are read, and what is no time is not") {
  CHECK(time_left("59:03") == Seconds{3543});
  CHECK(time_left("0:07") == Seconds{7});
  CHECK(time_left("1:00:00") == Seconds{3600});
  CHECK(time_left("2-03:04:05") == Seconds{183845});
  for (const char* none :
       {"", "UNLIMITED", "INVALID", "NOT_SET", "5", "1:2:3:4", "-1:00", "a:b", "1:-2", "x-1:00"}) {
    CAPTURE(none);
    CHECK_FALSE(time_left(none).has_value());
  }
}

TEST_CASE("an allocation is told by its variables, and its time by asking") {
  CHECK_FALSE(current_allocation(says_an_hour).has_value());
  const Variables variables({{"SLURM_JOB_ID", "12"},
                             {"SLURM_JOB_NODELIST", "node[1-2],login"},
                             {"SLURM_TASKS_PER_NODE", "4(x2),1"}});
  CHECK(current_allocation(says_an_hour) ==
        Allocation{"12", {"node1", "node2", "login"}, 4, Seconds{3600}});
  CHECK(fewest_across_nodes(*current_allocation(says_an_hour)) == 5);
  const auto silent = [](const std::string&, const std::string&) { return std::string(); };
  CHECK_FALSE(current_allocation(silent)->time_left.has_value());
  CHECK_FALSE(deadline_of(*current_allocation(silent)).has_value());
}

TEST_CASE("ranks reach another node where there is one") {
  CHECK(fewest_across_nodes({.nodes = {"a", "b"}, .tasks_of_first = 2}) == 3);
  CHECK(fewest_across_nodes({.nodes = {"a", "b"}}) == 2);
  CHECK(fewest_across_nodes({.nodes = {"a"}, .tasks_of_first = 2}) == 0);
}

TEST_CASE("no launch begins that would not end with the job") {
  const auto in = [](int seconds) {
    return Deadline{"12", std::chrono::steady_clock::now() + std::chrono::seconds(seconds)};
  };
  CHECK_FALSE(why_too_late(std::nullopt, {300}).has_value());
  CHECK_FALSE(why_too_late(in(1000), {300}).has_value());
  CHECK(why_too_late(in(200), {300}) ==
        "the time of job 12 is nearly up and a launch takes up to 5 min 00 s");
  CHECK(why_too_late(in(0), {}) == "the time of job 12 is nearly up");
  CHECK_FALSE(why_too_late(in(1000), {}).has_value());
}

TEST_CASE("a campaign that its job leaves no time says so, and the next job goes on") {
  MockCampaign campaign;
  campaign.launches(2);
  campaign.request().deadline = Deadline{"12", std::chrono::steady_clock::now()};
  const Manifest cut = campaign.run();
  CHECK(cut.status == Status::interrupted);
  CHECK(cut.attempts.empty());
  const auto missing = what_is_missing(cut, campaign.folder());
  REQUIRE(missing.has_value());
  CHECK_THAT(missing->problem, Catch::StartsWith("campaign interrupted: the time of job 12"));
  CHECK_THAT(missing->suggestion, Catch::Contains("--resume"));
  CHECK(load_manifest(campaign.folder().manifest()).ended_because == cut.ended_because);
  campaign.resume().request().deadline.reset();
  const Manifest whole = campaign.run();
  CHECK(whole.status == Status::complete);
  CHECK(whole.ended_because.empty());
}

namespace {

Plan two_settings(int launches) {
  Config config;
  config.settings = {{.name = "a"}, {.name = "b"}};
  return {config, 1, launches};
}

}  // namespace

TEST_CASE("a plan walks through the plan once") {
  Plan plan = two_settings(2);
  CHECK(plan.total() == 4);
  std::vector<PlannedLaunch> walked;
  while (const auto next = plan.next()) {
    CHECK(plan.left() == 4 - static_cast<int>(walked.size()));
    walked.push_back(*next);
    plan.complete(plan.name(*next));
  }
  CHECK(walked == plan_launches(2, 2, 1));
  CHECK(plan.all_complete());
  CHECK(plan.left() == 0);
}

TEST_CASE("a launch that was tried is not next again, nor complete") {
  Plan plan = two_settings(1);
  const PlannedLaunch first = *plan.next();
  plan.tried(plan.name(first));
  CHECK(plan.next() != first);
  CHECK(plan.left() == 1);
  plan.complete(plan.name(*plan.next()));
  CHECK_FALSE(plan.next().has_value());
  CHECK_FALSE(plan.all_complete());
}

TEST_CASE("a plan may grow and shrink under way") {
  Plan plan = two_settings(1);
  for (const PlannedLaunch& launch : plan_launches(2, 1, 1)) plan.complete(plan.name(launch));
  plan.plan(3);
  CHECK(plan.left() == 4);
  CHECK_FALSE(plan.all_complete());
  CHECK(plan.next()->launch == 2);
  plan.plan(1);
  CHECK(plan.all_complete());
}

TEST_CASE("hosts are those that the launcher's options name, each once") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/hosts";
  write_atomically(file, "# two\nn1 slots=2\nn2:4\n\nn1\n");
  using Words = std::vector<std::string>;
  CHECK(hosts_of({}).empty());
  CHECK(hosts_of({"--host", "a,b:2,a"}) == Words{"a", "b"});
  CHECK(hosts_of({"-x", "LD_PRELOAD", "--hostfile", file}) == Words{"n1", "n2"});
  CHECK(hosts_of({"--hostfile", folder.path() + "/missing"}).empty());
}

}  // namespace hockney::campaign
