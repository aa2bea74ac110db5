#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "components/health/history/reading.hpp"
#include "components/health/nights/node_launches.hpp"
#include "core/node_records.hpp"
#include "core/suite_names.hpp"
#include "tests/components/health/history/some_nights.hpp"
#include "tests/components/health/nights/some_records.hpp"
#include "tests/support/error_line.hpp"

// Launches in which every node measured itself, read node by node.
namespace hockney::health {
namespace {

/// A node of launch `number`.
Record node_of(int number, const std::string& host, double seconds) {
  Record record = nightly_launch("default", number);
  record.provenance.command_line = {"hockney-pingpong", "--each-node"};
  record.provenance.hosts.front().name = host;
  for (int rank = 0; rank < 2; ++rank) record.ranks.push_back({.rank = rank, .host = host});
  add_measured(record, hop_point("pingpong", 8), seconds);
  return record;
}

std::string of_node(const std::string& host) {
  return "pingpong/ranks=2 hop=l3 bytes=8 host=" + host + " setting=nightly/seconds";
}

const std::string of_all_nodes = "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds";

/// Launches of three nodes, whose times are 1, 2 and 9 us, and 1 us more in each launch.
NodeNights two_launches() {
  NodeNights nights;
  NodeLaunches& nodes = nights.try_emplace("default", "nightly").first->second;
  for (int number = 1; number <= 2; ++number) {
    const std::string launch = std::to_string(number);
    nodes.add(launch, node_of(number, "hx1", number * 1e-6));
    nodes.add(launch, node_of(number, "hx2", (number + 1) * 1e-6));
    nodes.add(launch, node_of(number, "hx3", (number + 8) * 1e-6));
  }
  return nights;
}

/// The series of an import of these runs, whose settings are named as they differ.
std::vector<std::string> imported_series(
    const std::vector<std::pair<std::string, std::string>>& runs) {
  const SomeHistory history;
  NightWriter writer(history.database);
  for (const auto& [host, setting] : runs) {
    Record record = nightly_launch(setting, 1);
    record.procedure = "osu";
    record.stopped_because = imported_reason;
    record.provenance.hosts = {{.name = host}};
    add_measured(record, hop_point("pingpong", 8), 1e-6);
    save_record(record, history.folder.path() + "/" + setting + ".json");
  }
  for (const RecordFolder& folder : record_folders({history.folder.path()})) {
    ingest_folder(history.database, writer, folder);
  }
  return strings_of(listed_series(history.database),
                    [](const ListedSeries& series) { return series.kind.name; });
}

}  // namespace

TEST_CASE("all nodes of a launch are one launch, whose time is the median over nodes") {
  const std::vector<Record> launches = two_launches().at("default").launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].series.front().samples_seconds == std::vector<double>{2e-6});
  CHECK(launches[0].provenance.hosts.size() == 3);
  CHECK(launches[1].provenance.hosts.empty());  // known already
  const Night night = make_night(20000, "nightly", {}, two_launches());
  CHECK(figure(night, of_all_nodes).value.launches == 2);
  CHECK(figure(night, of_all_nodes).value.value == Approx(2.5e-6));
  CHECK(figure(night, of_node("hx3")).value.launches == 2);
  CHECK(figure(night, of_node("hx3")).value.value == Approx(9.5e-6));
  CHECK(night.environments.front().facts.at("hosts") == "hx1,hx2,hx3");
}

TEST_CASE("a single node that measured itself has the series that it has beside others") {
  NodeNights nights;
  nights.try_emplace("default", "nightly").first->second.add("1", node_of(1, "hx1", 1e-6));
  const Night night = make_night(20000, "nightly", {}, std::move(nights));
  CHECK(has_figure(night, of_node("hx1")));
  CHECK(has_figure(night, of_all_nodes));
}

TEST_CASE("nodes without figures are absences of all their series, with the reason") {
  NodeNights nights = two_launches();
  NodeLaunches& nodes = nights.at("default");
  nodes.add_missing("2", {.host = "hx3", .reason = "it hung"});
  for (const char* launch : {"1", "2"})
    nodes.add_missing(launch, {.host = "hx4", .reason = "1 CPU"});
  const Night night = make_night(20000, "nightly", {}, std::move(nights));
  const std::vector<Absence> expected{
      {"*/host=hx3 setting=nightly/*", "no figures in 1 of 2 launches: it hung"},
      {"*/host=hx4 setting=nightly/*", "1 CPU"}};
  CHECK(night.absences == expected);
}

TEST_CASE("wrong data at one node are a fault of the night, and the others are used") {
  NodeNights nights = two_launches();
  Record wrong = node_of(2, "hx4", 1e-3);
  wrong.series.front().flags = {std::string(corrupt_flag)};
  nights.at("default").add("2", wrong);
  const Night night = make_night(20000, "nightly", {}, std::move(nights));
  REQUIRE(night.faults.size() == 1);
  CHECK(night.faults.front().launches == 1);
  CHECK_FALSE(has_figure(night, of_node("hx4")));
  CHECK(figure(night, of_all_nodes).value.value == Approx(2.5e-6));
}

TEST_CASE("an imported file has the same series alone and beside another file") {
  const std::vector<std::string> alone = imported_series({{"g1", "osu"}});
  const std::vector<std::string> beside = imported_series({{"g1", "osu-g1"}, {"g2", "osu-g2"}});
  for (const char* host : {"host=g1 ", ""}) {
    const std::string series =
        fmt::format("pingpong/ranks=2 hop=l3 bytes=8 {}setting=nightly:osu/seconds", host);
    CHECK(std::ranges::count(alone, series) == 1);
  }
  for (const std::string& series : alone) CHECK(std::ranges::count(beside, series) == 1);
  for (const std::string& series : beside) {
    CHECK(std::ranges::count(alone, series) ==
          (series.find("host=g2") == std::string::npos ? 1 : 0));
  }
}

TEST_CASE("imported runs of one point that differ are not launches of one series") {
  CHECK_THAT(error_line([] {
               imported_series({{"g1", "osu-a"}, {"g1", "osu-b"}});
             }),
             Catch::Contains("two imported settings") && Catch::Contains("--setting"));
}

}  // namespace hockney::health
