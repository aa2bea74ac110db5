#include <catch2/catch.hpp>

#include "core/quantities.hpp"
#include "tests/components/health/app/slowed_site.hpp"

// What is open stays open: `hockney health` on nights that lack what regressed before.
namespace hockney::health {

using namespace driver;  // what starts commands

TEST_CASE("a night in the future is refused, and where it is, hides no regression") {
  SlowedSite site;
  const std::int64_t future = latest_day() + 1;
  site.add_night(future, 1);
  const std::string ahead = site.records() + "/" + day_text(future);
  check_refusal({built("hockney"), "health", "ingest", "--history", site.at("history.sqlite")},
                {{ahead}, "begins in the future"});
  REQUIRE(health(site, {"ingest", ahead, "--day", day_text(future)}).exit_code == 0);
  const CommandResult check = health(site, {"check"});
  CHECK(check.exit_code == verdict_failed);
  CHECK_THAT(check.out, Catch::StartsWith("REGRESSED") && Catch::Contains(day_text(future)) &&
                            Catch::Contains("\nnight of 2026-10-30, 30 nights"));
  CHECK_THAT(health(site, {"check", "--reason"}).out, Catch::Contains("is not judged"));
  // The night itself, years after the others.
  const CommandResult named = health(site, {"check", "--day", day_text(future)});
  CHECK(named.exit_code == verdict_failed);
  CHECK_THAT(named.out, Catch::Contains("regressed"));
  NightlySite only;
  only.add_night(future, 1);
  REQUIRE(health(only, {"ingest", only.records(), "--day", day_text(future)}).exit_code == 0);
  check_refusal({built("hockney"), "health", "check", "--history", only.at("history.sqlite")},
                {{}, "all nights are in the future"});
}

TEST_CASE("nights of other series, and of few, hide no regression") {
  SlowedSite site;
  for (int night = nights; night < nights + 8; ++night) {
    site.add_fleet_night(first_day + night, 8, {}, 1);
  }
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  const CommandResult check = health(site, {"check"});
  CHECK(check.exit_code == verdict_failed);
  // The series of the other nights are missing, too.
  CHECK_THAT(check.out,
             Catch::StartsWith("MISSING") && Catch::Contains("; regressed 2 of ") &&
                 Catch::Contains("not measured since " + day_text(first_day + nights - 1)));
  const CommandResult without = health(site, {"check", "--missing", "ok"});
  CHECK(without.exit_code == verdict_failed);
  CHECK_THAT(without.out, Catch::StartsWith("REGRESSED") && Catch::Contains("series missing"));
  REQUIRE(health(site, {"accept", "*", "--day", day_text(first_day + nights)}).exit_code == 0);
  CHECK(health(site, {"check"}).exit_code == 0);
}

TEST_CASE("a slow node stays named while no night judges it") {
  NightlySite site;
  site.add_fleet_night(first_day, 8, {.node = 7}, 1.25);
  for (int night = 1; night < 9; ++night) {
    night < 5 ? site.add_fleet_night(first_day + night, 7, {}, 1)
              : site.add_night(first_day + night, 1);
  }
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  for (const int night : {1, 8}) {
    const CommandResult check = health(site, check_of(night));
    CHECK(check.exit_code == verdict_failed);
    CHECK_THAT(check.out, Catch::Contains("slow node hx7") &&
                              Catch::Contains("last judged on " + day_text(first_day)));
  }
  REQUIRE(health(site, {"accept", "*host=hx7*", "--day", day_text(first_day + 1)}).exit_code == 0);
  Arguments without = check_of(8);
  without.insert(without.end(), {"--missing", "ok"});
  CHECK(health(site, without).exit_code == 0);
}

TEST_CASE("ingests of the same nights at once say that they are there") {
  const SlowedSite site;
  std::vector<Arguments> commands;
  for (int i = 0; i < 4; ++i) {
    commands.push_back({built("hockney"), "health", "ingest", site.records(), "--history",
                        site.at("other.sqlite"), "--wait", "100s"});
  }
  for (const CommandResult& result : run_together(commands, commands.size())) {
    INFO(result.err);
    CHECK(result.exit_code == 0);
  }
}

}  // namespace hockney::health
