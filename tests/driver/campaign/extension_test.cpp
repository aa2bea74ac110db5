#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/manifest.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"

// Campaigns that are complete are given more launches, time or precision.
namespace hockney::campaign {
namespace {

/// Name and seed of every launch, in the order they were made.
std::vector<std::pair<std::string, std::uint64_t>> made(const MockCampaign& campaign,
                                                        const Manifest& manifest) {
  std::vector<std::pair<std::string, std::uint64_t>> launches;
  for (const Attempt& attempt : manifest.attempts) {
    launches.emplace_back(attempt.name(),
                          load_record(campaign.folder().record(attempt.name())).seed);
  }
  return launches;
}

MockCampaign& extend(MockCampaign& campaign) {
  campaign.resume().request().extends = true;
  return campaign;
}

}  // namespace

TEST_CASE("a complete campaign that is given launches equals one made at once") {
  MockCampaign at_once;
  at_once.settings({"a", "b", "c"}).launches(7);
  MockCampaign extended;
  extended.settings({"a", "b", "c"}).launches(3).run();
  const Manifest manifest = extend(extended).launches(7).run();
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.launches == 7);
  CHECK(extended.steps().front().position == 3 * 3 + 1);
  CHECK(extended.steps().front().total == 3 * 7);
  CHECK(remaining_lines(extended.steps().front()) ==
        std::vector<std::string>{
            "9 of 21 launches are complete, 12 to come, in the same random blocks"});
  CHECK(made(extended, manifest) == made(at_once, at_once.run()));
}

TEST_CASE("a complete campaign goes on until a budget is spent, or its intervals are narrow") {
  MockCampaign timed;
  timed.launches(3).run();
  Request& more = extend(timed).launches(std::nullopt).request();
  more.config.budget = Seconds{3};
  const Manifest by_time = timed.run();
  CHECK(by_time.status == Status::complete);
  CHECK(by_time.launches > 3);
  CHECK(by_time.config.budget == more.config.budget);

  MockCampaign precise;
  precise.launches(3).run();
  const Manifest narrow = extend(precise).precision(0.5).run();
  CHECK(narrow.status == Status::complete);
  CHECK(narrow.launches == 8);  // the first look that an interval can have
}

TEST_CASE("launches that are added measure for as long as those before") {
  MockCampaign campaign;
  campaign.launches(std::nullopt).budget({2});
  campaign.request().config.most_launches = 4;
  const Manifest before = campaign.run();
  REQUIRE(before.status == Status::complete);
  Request& request = extend(campaign).launches(before.launches + 1).request();
  request.config.most_launches.reset();
  request.config.budget.reset();
  const Manifest after = campaign.run();
  REQUIRE(after.attempts.size() == before.attempts.size() + 1);
  const auto& command = after.attempts.back().command.arguments;
  const auto given = std::ranges::find(command, "--budget");
  REQUIRE(given != command.end());
  CHECK(std::stod(*std::next(given)) == Approx(before.usual_slot()->value).epsilon(1e-4));
}

TEST_CASE("fewer launches than there are is refused, and says how many there are") {
  MockCampaign campaign;
  campaign.launches(3).run();
  CHECK_THROWS_WITH(extend(campaign).launches(2).run(),
                    Catch::Contains("has 3 launches of each setting"));
  CHECK(campaign.launches(3).run().attempts.size() == 3);
  CHECK(campaign.steps().empty());
}

TEST_CASE("what a complete campaign says names its launches and how to add some") {
  MockCampaign campaign;
  Manifest manifest = campaign.settings({"a", "b"}).launches(3).run();
  manifest.elapsed_seconds = 60;
  const std::string line = extend_hint(manifest, "results/x");
  INFO(line);
  CHECK(line.find("complete with 3 launches of each setting in 1 min 00 s, none added") == 0);
  CHECK(line.find("hockney run --resume --out results/x --launches 6, or --budget 120s") !=
        std::string::npos);
}

TEST_CASE("a dry run of a campaign that is there lists what is still to come") {
  MockCampaign campaign;
  const Manifest manifest = campaign.settings({"a", "b"}).launches(3).run();
  CHECK(dry_run(campaign.resume().request()).empty());
  const auto lines = dry_run(extend(campaign).launches(5).request());
  REQUIRE(lines.size() == 2 * 2);
  const auto plan = plan_launches(2, 5, manifest.seed);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PlannedLaunch& next = plan[i + 2 * 3];
    CHECK(lines[i].find("--seed " + std::to_string(next.seed)) != std::string::npos);
    CHECK(lines[i].find("--launch " + std::to_string(next.launch)) != std::string::npos);
  }
}

}  // namespace hockney::campaign
