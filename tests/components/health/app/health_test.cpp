#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "tests/components/health/app/slowed_site.hpp"
#include "tests/support/killed_ingest.hpp"

// `hockney health` from records to verdicts, as a site uses it.
namespace hockney::health {

using namespace driver;  // what starts commands
namespace {

nlohmann::json verdict_on(const nlohmann::json& document, const std::string& series) {
  for (const nlohmann::json& verdict : document["verdicts"]) {
    if (verdict["series"] == series) return verdict;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a slower library is found, dated and named; the nights before are quiet") {
  const SlowedSite site;
  const CommandResult second = health(site, check_of(1));
  CHECK(second.exit_code == 0);
  CHECK_THAT(second.out, Catch::StartsWith("LEARNING  night 2 of 15 needed; nothing can be judged "
                                           "yet ("));
  CHECK(health(site, check_of(1, {"--strict"})).exit_code == no_verdict);
  for (const int night : {15, step - 1}) {
    const CommandResult before = health(site, check_of(night));
    INFO(before.out << before.err);
    CHECK(before.exit_code == 0);
    CHECK_THAT(before.out, Catch::StartsWith("OK  "));
    CHECK(health(site, check_of(night, {"--strict"})).exit_code == 0);
    CHECK_THAT(before.out, Catch::Contains("0 regressed, 0 improved"));
  }
  REQUIRE(health(site, {"note", "MPI 5.0.9 installed", "--day", day_text(first_day + step - 1)})
              .exit_code == 0);
  const CommandResult after = health(site, check_of(nights - 1, {"--json"}));
  CHECK(after.exit_code == verdict_failed);
  CHECK(health(site, check_of(nights - 1, {"--strict"})).exit_code == verdict_failed);
  const nlohmann::json verdict = verdict_on(nlohmann::json::parse(after.out), latency);
  REQUIRE(verdict.is_object());
  const std::string page = site.at("page.html");
  CHECK(health(site, check_of(nights - 1, {"--page", page})).exit_code == verdict_failed);
  CHECK_THAT(read_file(page), Catch::StartsWith("<!doctype html>") &&
                                  Catch::Contains("MPI 5.0.9 installed") &&
                                  Catch::Contains("data-name=\"health\""));
  CHECK(verdict["verdict"] == "regressed");
  CHECK(verdict["since"] == day_text(first_day + step));
  CHECK(verdict["change"].get<double>() == Approx(0.1).margin(0.01));
  CHECK(verdict["change_ci"][0].get<double>() <= 0.1);
  CHECK(verdict["change_ci"][1].get<double>() >= 0.1);
  CHECK(verdict["environment"][0]["facts"][0] == nlohmann::json{{"fact", "mpi.library"},
                                                                {"before", "Open MPI v4.1.4"},
                                                                {"after", "Open MPI v5.0.9"}});
  CHECK(verdict["notes"][0]["text"] == "MPI 5.0.9 installed");
  CHECK(verdict["values"].size() == nights);
  CHECK(verdict["values"].back()["day"] == day_text(first_day + nights - 1));
  CHECK(verdict["values"].back()["value"] == verdict["value"]);
  // The machine itself is as it was.
  CHECK(verdict["controls"].empty());
}

TEST_CASE("lines of a check stand behind those of the check before") {
  const SlowedSite site;
  const std::string file = site.at("nights.jsonl");
  const auto check = [&] {
    CHECK(health(site, check_of(nights - 1, {"--jsonl", file})).exit_code == verdict_failed);
    return split(read_file(file), '\n').size() - 1;
  };
  const std::size_t once = check();
  CHECK(check() == 2 * once);
}

TEST_CASE("a point that dies at night is missing until it is measured or accepted") {
  NightlySite site;
  for (int night = 0; night < 24; ++night) {
    const bool dies = night >= 18 && night < 22;
    site.add_night(first_day + night, 1, "Open MPI v4.1.4", dies ? "SIGSEGV in lib.so" : "");
  }
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  CHECK_THAT(health(site, check_of(17, {"-q"})).out, Catch::StartsWith("OK  "));
  for (const int night : {18, 19, 21}) {
    CAPTURE(night);
    const CommandResult check = health(site, check_of(night, {"-q"}));
    CHECK(check.exit_code == verdict_failed);
    CHECK_THAT(check.out,
               Catch::StartsWith("MISSING   1 of 5 series, 1K latency (pingpong, 2 ranks, l3): "
                                 "SIGSEGV in"));
  }
  const std::string ok = health(site, check_of(19, {"--missing", "ok", "-q"})).out;
  CHECK_THAT(ok, Catch::StartsWith("OK  ") && Catch::Contains("; 1 series missing"));
  CHECK(health(site, check_of(19, {"--missing", "ok"})).exit_code == 0);
  CHECK_THAT(health(site, check_of(22, {"-q"})).out, Catch::StartsWith("OK  "));
  REQUIRE(health(site, {"accept", "*bytes=1024*", "--day", day_text(first_day + 21)}).exit_code ==
          0);
  CHECK(health(site, check_of(20)).exit_code == verdict_failed);
  CHECK(health(site, check_of(21)).exit_code == 0);
  // A night of another campaign alone.
  NightlySite other;
  for (int night = 0; night < 20; ++night) other.add_night(first_day + night, 1);
  other.add_fleet_night(first_day + 20, 4, {}, 1);
  REQUIRE(health(other, {"ingest", other.records()}).exit_code == 0);
  const CommandResult check = health(other, check_of(20, {"-q"}));
  CHECK(check.exit_code == verdict_failed);
  CHECK_THAT(check.out,
             Catch::StartsWith("MISSING") && Catch::Contains("not in the records of this night"));
}

TEST_CASE("a value far outside is suspect every morning until it is decided") {
  NightlySite site;
  for (int night = 0; night < 30; ++night) site.add_night(first_day + night, night < 20 ? 1 : 1.12);
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  for (const int night : {20, 21, 22}) {
    CAPTURE(night);
    const CommandResult check = health(site, check_of(night, {"-q"}));
    CHECK(check.exit_code == 0);
    CHECK_THAT(check.out, Catch::StartsWith("SUSPECT   ") && Catch::Contains(" series, "));
    CHECK(health(site, check_of(night, {"--strict"})).exit_code == no_verdict);
  }
  CHECK_THAT(health(site, check_of(22, {"-q"})).out,
             Catch::Contains("since " + day_text(first_day + 20)));
  CHECK(health(site, check_of(23)).exit_code == verdict_failed);
}

TEST_CASE("an accepted shift and maintenance end the alarm") {
  const SlowedSite site;
  REQUIRE(health(site, {"accept", "pingpong/*", "--day", day_text(first_day + step), "--why",
                        "new library"})
              .exit_code == 0);
  const CommandResult accepted = health(site, check_of(nights - 1));
  INFO(accepted.out);
  CHECK(accepted.exit_code == 0);
  CHECK_THAT(health(site, {"list", "remarks"}).out, Catch::Contains("new library"));

  const SlowedSite other;
  REQUIRE(health(other, {"maintenance", "--from", day_text(first_day + step), "--to",
                         day_text(first_day + nights), "--why", "recabling"})
              .exit_code == 0);
  CHECK(health(other, check_of(nights - 1)).exit_code == 0);
}

TEST_CASE("ingesting again changes nothing") {
  const SlowedSite site;
  const std::string before = health(site, {"list", "values"}).out;
  const CommandResult again = health(site, {"ingest", site.records()});
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.out, Catch::Contains("in the history already"));
  CHECK(health(site, {"list", "values"}).out == before);
}

TEST_CASE("a bad night is forgotten, counts no more, and can be ingested again") {
  NightlySite site;
  for (int night = 0; night < nights; ++night) {
    site.add_night(first_day + night, night == nights - 1 ? 2 : 1);
  }
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  const std::string all = health(site, {"list", "values"}).out;
  const std::string bad = day_text(first_day + nights - 1);
  const CommandResult requested = health(site, {"forget", bad, "--dry-run"});
  CHECK(requested.out ==
        "would forget night " + bad + " campaign 'nightly': 5 figures of 6 records\n");
  CHECK(health(site, {"list", "values"}).out == all);
  CHECK_THAT(health(site, {"check"}).out, Catch::Contains("night of " + bad));
  const CommandResult forgotten = health(site, {"forget", bad});
  CHECK(forgotten.out == "forgot night " + bad + " campaign 'nightly': 5 figures of 6 records\n");
  CHECK(forgotten.exit_code == 0);
  const CommandResult check = health(site, {"check"});
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.out, Catch::Contains("night of " + day_text(first_day + nights - 2)));
  CHECK_THAT(health(site, {"list"}).out, !Catch::Contains(bad));
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  CHECK(health(site, {"list", "values"}).out == all);
}

TEST_CASE("a slow node is named, and only it") {
  NightlySite site;
  site.add_fleet_night(first_day, 8, {.node = 3}, 1.25);
  site.add_fleet_night(first_day + 1, 8, {}, 1);
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  const CommandResult slow = health(site, check_of(0, {"--json"}));
  CHECK(slow.exit_code == verdict_failed);
  const auto document = nlohmann::json::parse(slow.out);
  REQUIRE(document["nodes"].size() == 1);
  CHECK(document["nodes"][0]["host"] == "hx3");
  CHECK(document["nodes"][0]["effect"].get<double>() == Approx(0.25).margin(0.03));
  CHECK(document["links"].empty());
  const CommandResult healed = health(site, check_of(1, {"--json"}));
  CHECK(healed.exit_code == 0);
  CHECK(nlohmann::json::parse(healed.out)["nodes"].empty());
}

TEST_CASE("a suspect link that is slow again is named the same night") {
  NightlySite site;
  site.add_fleet_night(first_day, 8, {.a = 2, .b = 5}, 1.5);
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  const CommandResult suspected = health(site, check_of(0));
  INFO(suspected.out);
  CHECK(suspected.exit_code == 0);
  CHECK_THAT(suspected.out, Catch::Contains("links to measure again tonight: hx2-hx5"));
  NightlySite slow;
  NightlySite healed;
  for (int repetition = 0; repetition < 4; ++repetition) {
    slow.add_fleet_night(first_day + repetition, 8, {.a = 2, .b = 5}, 1.5);
    healed.add_fleet_night(first_day + repetition, 8, {}, 1);
  }
  const CommandResult named = health(site, check_of(0, {"--json", "--again", slow.records()}));
  CHECK(named.exit_code == verdict_failed);
  const auto document = nlohmann::json::parse(named.out);
  REQUIRE(document["links"].size() == 1);
  CHECK(document["links"][0]["hosts"] == nlohmann::json{"hx2", "hx5"});
  CHECK(document["nodes"].empty());
  CHECK(health(site, check_of(0, {"--again", healed.records()})).exit_code == 0);
  check_refusal({built("hockney"), "health", "check", "--history", site.at("history.sqlite")},
                {{"--again", "/no/such"}, "does not exist"});
}

TEST_CASE("calibrate says what to expect, and leaves its threshold for check") {
  NightlySite site;
  for (int night = 0; night < 60; ++night) site.add_night(first_day - night, 1);
  REQUIRE(health(site, {"ingest", site.records()}).exit_code == 0);
  const CommandResult result = health(site, {"calibrate", "--series-years", "20", "--keep",
                                             "--json", "--series", "pingpong/*bytes=8*"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document["series"] == 1);
  CHECK(document["delays"].size() == 4);
  const HistoryDatabase history(site.at("history.sqlite"), HistoryAccess::read);
  CHECK(kept_number(history, threshold_name) == document["threshold"].get<double>());
}

TEST_CASE("an ingest that is killed leaves a whole history, and the next one completes it") {
  const KillStudy study = study_kills(built("hockney"), 4, 20);
  CHECK(study.damaged == 0);
  CHECK(study.different == 0);
}

TEST_CASE("a night has its verdict and exit code whatever becomes of its metrics") {
  const TemporaryFolder folder;
  const std::string script = folder.write_program(
      "libexec/night.sh", read_file(HOCKNEY_SOURCE_DIR "/docs/nightly/hockney-nightly.sh"));
  // A driver that finds a regression, and cannot write metrics.
  folder.write_program("bin/hockney",
                       "#!/bin/sh\necho \"$*\"\n"
                       "[ \"$1 $2\" != 'health check' ] && exit 0\n"
                       "case \"$*\" in *--openmetrics*) exit 3;; esac\nexit 1\n");
  const auto night = [&](const std::string& metrics) {
    return run_command({"/usr/bin/env", "-u", "SLURM_JOB_NUM_NODES",
                        "HOCKNEY_STATE=" + folder.path() + "/state", "HOCKNEY_METRICS=" + metrics,
                        "/bin/bash", script});
  };
  const CommandResult result = night("/no/such/hockney.prom");
  CHECK(result.exit_code == verdict_failed);
  CHECK_THAT(result.err, Catch::StartsWith("no metrics in /no/such/hockney.prom: "));
  const CommandResult without = night("");
  CHECK(without.exit_code == verdict_failed);
  CHECK(without.err.empty());
}

}  // namespace hockney::health
