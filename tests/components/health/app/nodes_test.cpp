#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/atomic_file.hpp"
#include "tests/components/health/app/slowed_site.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/node_site.hpp"

// Nodes that measure themselves, from records to the first screen.
namespace hockney::health {

using namespace driver;  // what starts commands
namespace {

CommandResult health_of(const NodeSite& site, Arguments arguments) {
  Arguments command = with({built("hockney"), "health"}, arguments);
  command.insert(command.end(), {"--history", site.at("history.sqlite")});
  return run_command(command);
}

/// Nights of these nodes, ingested.
void fill(NodeSite& site, int nodes, int nights, const NodeSite::Truth& truth) {
  for (int night = 0; night < nights; ++night) site.add_night(first_day, night, nodes, truth);
  const CommandResult ingested = health_of(site, {"ingest", site.records()});
  INFO(ingested.err);
  REQUIRE(ingested.exit_code == 0);
}

nlohmann::json peers_of(const CommandResult& check) {
  return nlohmann::json::parse(check.out).at("peers");
}

}  // namespace

TEST_CASE("one of 24 nodes that is 30 % slower in its last three nights is named to be drained") {
  NodeSite site;
  fill(site, 24, 20, [](int node, int night) {
    return NodeTruth{.latency = node == 7 && night >= 17 ? 1.3 : 1.0};
  });
  const CommandResult before = health_of(site, {"check", "--day", day_text(first_day + 16)});
  INFO(before.out << before.err);
  CHECK(before.exit_code == 0);
  CHECK_THAT(before.out, Catch::StartsWith("OK  ") && Catch::Contains("24 nodes as their peers"));
  const CommandResult check = health_of(site, {"check"});
  INFO(check.out);
  CHECK(check.exit_code == verdict_failed);
  CHECK_THAT(check.out, Catch::StartsWith("REGRESSED DRAIN 1 of 24 nodes"));
  CHECK_THAT(check.out, Catch::Contains("drain  n0007  8 B latency (pingpong, 2 ranks, l3)") &&
                            Catch::Contains("since " + day_text(first_day + 17)));
  CHECK(std::count(check.out.begin(), check.out.end(), '\n') <= 24);
  const nlohmann::json slow = peers_of(health_of(site, {"check", "--json"})).at("slow");
  REQUIRE(slow.size() == 1);
  CHECK(slow[0]["host"] == "n0007");
  CHECK(slow[0]["series"] == "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds");
  CHECK(slow[0]["change"].get<double>() == Approx(0.3).margin(0.04));
  CHECK(slow[0]["since"] == day_text(first_day + 17));
  CHECK(slow[0]["severity"] == "ISOLATE");
  const CommandResult node = health_of(site, {"check", "--series", "*host=n0007 *", "--all"});
  CHECK_THAT(node.out, Catch::Contains("bytes=8 host=n0007 setting=nightly/seconds"));
  CHECK_THAT(node.out, !Catch::Contains("host=n0008"));
  const CommandResult reason = health_of(site, {"check", "--reason"});
  CHECK_THAT(reason.out, Catch::StartsWith("ISOLATE: node n0007 8 B latency"));
  CHECK_THAT(health_of(site, {"check", "--junit", site.at("j.xml"), "--openmetrics",
                              site.at("m.prom"), "-q"})
                 .out,
             Catch::StartsWith("REGRESSED"));
  CHECK_THAT(read_file(site.at("j.xml")), Catch::Contains("type=\"slow node\""));
  CHECK_THAT(read_file(site.at("m.prom")), Catch::Contains("hockney_health_nodes_to_drain 1\n"));
}

TEST_CASE("nodes that each have a folder are one night, ingested once") {
  NodeSite site;
  site.add_night(first_day, 0, 6, [](int /*node*/, int /*night*/) { return NodeTruth(); });
  const std::string night = site.records() + "/" + day_text(first_day) + "/records/";
  for (int node = 0; node < 6; ++node) {
    const std::string file = NodeSite::host(node) + ".json";
    std::filesystem::create_directories(night + "of-" + file);
    std::filesystem::rename(night + file, night + "of-" + file + "/1.json");
  }
  const CommandResult ingested = health_of(site, {"ingest", site.records()});
  INFO(ingested.err);
  CHECK(ingested.exit_code == 0);
  CHECK_THAT(ingested.out, Catch::StartsWith(day_text(first_day) + " campaign 'nightly': 6 rec"));
  CHECK(std::count(ingested.out.begin(), ingested.out.end(), '\n') == 1);
}

TEST_CASE("what all nodes share is one line with its cause, and names no node") {
  NodeSite site;
  fill(site, 12, 24, [](int /*node*/, int night) {
    const bool is_new = night >= 17;
    return NodeTruth{.latency = is_new ? 1.1 : 1.0, .kernel = is_new ? "Linux 6.2" : "Linux 6.1"};
  });
  const CommandResult check = health_of(site, {"check"});
  INFO(check.out);
  CHECK(check.exit_code == verdict_failed);
  CHECK_THAT(check.out, Catch::Contains("all 12 nodes: 8 B latency") &&
                            Catch::Contains("host.kernel Linux 6.1 -> Linux 6.2"));
  CHECK(peers_of(health_of(site, {"check", "--json"})).at("slow").empty());
}

TEST_CASE("a rack that became slower is named once, by the site file") {
  NodeSite site;
  fill(site, 32, 24, [](int node, int night) {
    return NodeTruth{.bandwidth = node < 8 && night >= 18 ? 1.1 : 1.0};
  });
  std::ofstream(site.at("sites.json"))
      << R"({"schema": "hockney.sites/1", "levels": ["rack"], "places": [)"
      << R"({"hosts": "n[0000-0007]", "sites": ["r1"]}, {"hosts": "n[0008-0015]", "sites": ["r2"]},)"
      << R"({"hosts": "n[0016-0031]", "sites": ["r3"]}]})";
  const CommandResult check =
      health_of(site, {"check", "--json", "--sites", site.at("sites.json")});
  INFO(check.out << check.err);
  CHECK(check.exit_code == verdict_failed);
  const nlohmann::json peers = peers_of(check);
  CHECK(peers["slow"].empty());
  REQUIRE(peers["shared"].size() == 1);
  CHECK(peers["shared"][0]["name"] == "rack r1");
  CHECK(peers["shared"][0]["hosts"].size() == 8);
  CHECK(peers["shared"][0]["change"].get<double>() == Approx(0.1).margin(0.02));
  CHECK(peers["shared"][0]["since"] == day_text(first_day + 18));
}

TEST_CASE("two firmwares are two levels, and two processors are two kinds") {
  NodeSite site;
  fill(site, 30, 16, [](int node, int /*night*/) {
    return NodeTruth{.latency = node < 10   ? 1.5
                                : node < 20 ? 0.9
                                            : 1.0,
                     .kernel = node < 20 && node >= 10 ? "Linux 6.2" : "Linux 6.1",
                     .cpu = node < 10 ? "Old CPU" : "New CPU"};
  });
  const CommandResult check = health_of(site, {"check", "--json"});
  INFO(check.out << check.err);
  CHECK(check.exit_code == 0);
  const nlohmann::json peers = peers_of(check);
  CHECK(peers["kinds"].size() == 2);
  CHECK(peers["slow"].empty());
  REQUIRE(peers["shared"].size() == 1);
  CHECK(peers["shared"][0]["hosts"].size() == 10);
  CHECK(peers["shared"][0]["is_worse"] == false);
  REQUIRE(peers["shared"][0]["facts"].size() == 1);
  CHECK(peers["shared"][0]["facts"][0]["fact"] == "host.kernel");
}

TEST_CASE("nodes are missed, renamed, and begin anew with another board") {
  NodeSite site;
  fill(site, 12, 20, [](int node, int night) {
    return NodeTruth{.latency = node == 3 && night >= 16 ? 1.4 : 1.0,
                     .cpu = node == 3 && night >= 16 ? "Other CPU" : "Some CPU",
                     .is_there = (node != 5 || night < 19) && (node != 6 || night < 4)};
  });
  const nlohmann::json peers = peers_of(health_of(site, {"check", "--json"}));
  CHECK(peers["slow"].empty());
  REQUIRE(peers["absent"].size() == 1);  // node 6 was drained long ago
  CHECK(peers["absent"][0]["host"] == "n0005");
  REQUIRE(peers["boards"].size() == 1);
  CHECK(peers["boards"][0]["host"] == "n0003");
  CHECK(peers["boards"][0]["day"] == day_text(first_day + 16));
  const CommandResult renamed = health_of(site, {"rename", "n0003", "x3"});
  CHECK_THAT(renamed.out, Catch::StartsWith("n0003 is x3 in 3 series"));
  CHECK(peers_of(health_of(site, {"check", "--json"}))["boards"][0]["host"] == "x3");
  CHECK(health_of(site, {"rename", "n0004", "x3"}).exit_code == bad_input);
  CHECK(health_of(site, {"rename", "n0003", "y"}).exit_code == bad_input);
}

TEST_CASE("the morning says why a node could not be measured, also of one never measured before") {
  NodeSite site;
  constexpr int last = 19;
  const auto truth = [](int node, int night) {
    NodeTruth one;
    one.is_there = night < last ? node != 8 : node != 5 && node != 8;
    one.failure = node == 5 ? "it did not end with the others" : "1 CPU for 2 ranks";
    return one;
  };
  for (int night = 0; night <= last; ++night) {
    site.add_each_node_night(first_day, night, night < last ? 8 : 9, truth);
  }
  REQUIRE(health_of(site, {"ingest", site.records()}).exit_code == 0);
  const CommandResult check = health_of(site, {"check"});
  INFO(check.out << check.err);
  CHECK_THAT(check.out, Catch::Contains("missing    n0005: it did not end with the others") &&
                            Catch::Contains("missing    n0008: 1 CPU for 2 ranks") &&
                            Catch::Contains("MISSING 2"));
  const nlohmann::json absent = peers_of(health_of(site, {"check", "--json"}))["absent"];
  REQUIRE(absent.size() == 2);
  CHECK(absent[0]["reason"] == "it did not end with the others");
  CHECK(absent[0]["series"].is_null());
  CHECK(absent[1]["last_day"].is_null());
  const CommandResult before =
      health_of(site, {"check", "--json", "--day", day_text(first_day + last - 1)});
  CHECK(peers_of(before)["absent"].empty());
}

}  // namespace hockney::health
