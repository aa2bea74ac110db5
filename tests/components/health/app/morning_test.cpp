#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "components/health/history/night_writer.hpp"
#include "core/point.hpp"
#include "tests/components/health/app/slowed_site.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/node_site.hpp"

// The first screen of a large fleet on a bad morning.
namespace hockney::health {

using namespace driver;  // what starts commands
namespace {

constexpr int nodes = 2000;
constexpr int last_night = 19;

struct LargeFleet {
  TemporaryFolder folder;
  std::string file = folder.path() + "/history.sqlite";
  std::mt19937_64 random{2000};
  std::normal_distribution<double> normal;

  LargeFleet() {
    const HistoryDatabase database(file, HistoryAccess::create);
    NightWriter writer(database);
    for (int number = 0; number <= last_night; ++number) writer.store(night(number));
    std::ofstream sites(folder.path() + "/sites.json");
    sites << R"({"schema": "hockney.sites/1", "levels": ["rack"], "places": [)";
    for (int rack = 0; rack < nodes / 20; ++rack) {
      sites << (rack > 0 ? "," : "") << R"({"hosts": "n[)" << NodeSite::host(20 * rack).substr(1)
            << "-" << NodeSite::host(20 * rack + 19).substr(1) << R"(]", "sites": ["r)" << rack
            << "\"]}";
    }
    sites << "]}";
  }

  Night night(int number) {
    Night night;
    night.day = first_day + number;
    night.campaign = "nightly";
    night.records = {{.digest = std::to_string(number), .file = "/none"}};
    night.environments = {{.digest = "old", .facts = {{"host.cpu_model", "CPU"}}},
                          {.digest = "new", .facts = {{"host.cpu_model", "Other CPU"}}}};
    for (const char* const figure : {"8", "4096", "1048576"}) {
      for (int node = 0; node < nodes; ++node) {
        const bool is_missing = number == last_night && node >= 1900 && node < 1920;
        if (!is_missing) add(night, figure, node, number);
      }
    }
    return night;
  }

  void add(Night& night, const std::string& bytes, int node, int number) {
    double log = 0.01 * normal(random);
    const bool is_late = number >= last_night - 5;
    if (is_late && bytes == "8" && node % 100 == 7) log += std::log(1.3);      // 19 measured nodes
    if (is_late && bytes == "4096" && node % 200 == 11) log += std::log(1.1);  // 10 nodes
    if (is_late && bytes == "1048576" && node / 20 == 31) log += std::log(1.1);
    if (number == last_night && bytes == "8" && node == 1500) log += std::log(1.5);
    const bool is_new = node >= 1990 && is_late;
    SeriesName name{.operation = "pingpong",
                    .keys = {{"ranks", "2"},
                             {"hop", "l3"},
                             {"bytes", bytes},
                             {"host", NodeSite::host(node)},
                             {"setting", "nightly"}},
                    .figure = "seconds"};
    night.figures.push_back({.series = {.name = name.text(), .unit = "seconds"},
                             .value = {.day = night.day,
                                       .value = 1e-6 * std::exp(log),
                                       .launches = 1,
                                       .environment = is_new ? "new" : "old"}});
  }
};

}  // namespace

TEST_CASE("a bad morning of 2000 nodes fits a screen") {
  const LargeFleet fleet;
  const Arguments check{built("hockney"),
                        "health",
                        "check",
                        "--history",
                        fleet.file,
                        "--sites",
                        fleet.folder.path() + "/sites.json"};
  const CommandResult screen = run_command(check);
  INFO(screen.out << screen.err);
  CHECK(screen.exit_code == verdict_failed);
  CHECK_THAT(screen.out,
             Catch::StartsWith("REGRESSED DRAIN 19, WATCH 10, MISSING 20 of 2000 nodes"));
  CHECK(std::count(screen.out.begin(), screen.out.end(), '\n') <= 24);
  CHECK_THAT(screen.out, Catch::Contains("shared     rack r31, 20 of 20 nodes"));
  CHECK_THAT(screen.out, Catch::Contains("missing    n1900, n1901, n1902 and 17 more: no"));
  CHECK_THAT(screen.out, Catch::Contains("new        10 nodes: other hardware since"));
  Arguments json = check;
  json.emplace_back("--json");
  const nlohmann::json peers = nlohmann::json::parse(run_command(json).out).at("peers");
  CHECK(peers["nodes"] == 1980);
  CHECK(peers["drain"].size() == 19);
  CHECK(peers["shared"].size() == 1);
  CHECK(peers["outliers"].size() == 1);
  CHECK(peers["absent"].size() == 20);
}

TEST_CASE("a history of pooled hosts goes on when hosts get series of their own") {
  NodeSite site;  // until night 17 one host measured, as in histories of before
  for (int night = 0; night < 24; ++night) {
    site.add_night(first_day, night, night < 17 ? 1 : 6, [&](int /*node*/, int) {
      return NodeTruth{.latency = night >= 17 ? 1.1 : 1.0};
    });
  }
  const Arguments history{"--history", site.at("h.sqlite")};
  const auto run = [&](Arguments arguments) {
    arguments.insert(arguments.begin(), {built("hockney"), "health"});
    arguments.insert(arguments.end(), history.begin(), history.end());
    return run_command(arguments);
  };
  REQUIRE(run({"ingest", site.records()}).exit_code == 0);
  const nlohmann::json document = nlohmann::json::parse(run({"check", "--json"}).out);
  for (const nlohmann::json& verdict : document["verdicts"]) {
    if (verdict["series"] != "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds") continue;
    CHECK(verdict["verdict"] == "regressed");
    CHECK(verdict["nights"] == 24);
    CHECK(verdict["since"] == day_text(first_day + 17));
  }
  CHECK(document["peers"]["nodes"] == 6);
  CHECK(document["peers"]["slow"].empty());
}

}  // namespace hockney::health
