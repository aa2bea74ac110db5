#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/components/health/app/slowed_site.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/node_site.hpp"

// A node that is checked before a job, from nights of many nodes to the line and its exit code.
namespace hockney::health {

using namespace driver;  // what starts commands
namespace {

NodeTruth as_usual(int /*node*/, int /*night*/) { return {}; }

/// 12 nodes over 10 nights, and the file that nodes read.
void make_reference(NodeSite& site) {
  for (int night = 0; night < 10; ++night) site.add_night(first_day, night, 12, as_usual);
  const std::string history = site.at("history.sqlite");
  REQUIRE(run_command({built("hockney"), "health", "ingest", site.records(), "--history", history})
              .exit_code == 0);
  const CommandResult written = run_command({built("hockney"), "health", "reference", "--history",
                                             history, "-o", site.at("reference.json")});
  INFO(written.err);
  REQUIRE(written.exit_code == 0);
  CHECK_THAT(written.out, Catch::StartsWith("3 figures of 12 nodes in '"));
}

/// The records of one launch of one node.
std::string measure(NodeSite& now, int node, double latency) {
  now.add_night(first_day, 10, node + 1, [&](int one, int /*night*/) {
    return NodeTruth{.latency = latency, .is_there = one == node};
  });
  return now.records();
}

CommandResult check_node(const NodeSite& site, const std::string& records,
                         const Arguments& more = {}) {
  return run_command(
      with({built("hockney"), "health", "node", records, "--reference", site.at("reference.json")},
           more));
}

}  // namespace

TEST_CASE("a node as usual is OK in one line, and a slow one is drained with exit code 1") {
  NodeSite site;
  make_reference(site);
  NodeSite good;
  const CommandResult fine = check_node(site, measure(good, 3, 1));
  INFO(fine.out << fine.err);
  CHECK(fine.exit_code == 0);
  CHECK(fine.out == "OK n0003: 3 figures as usual, up to " + day_text(first_day + 9) + "\n");
  NodeSite slow;
  const CommandResult bad = check_node(site, measure(slow, 3, 1.4));
  INFO(bad.out << bad.err);
  CHECK(bad.exit_code == verdict_failed);
  CHECK_THAT(bad.out, Catch::StartsWith("DRAIN n0003: 8 B latency (pingpong, 2 ranks, l3) +") &&
                          Catch::Contains(", usually "));
  CHECK(std::count(bad.out.begin(), bad.out.end(), '\n') == 1);
  CHECK(check_node(site, slow.records(), {"--beyond", "80%"}).exit_code == 0);
}

TEST_CASE("a second launch that is as usual drains no node") {
  NodeSite site;
  make_reference(site);
  NodeSite now;
  measure(now, 3, 1.4);
  NodeSite again;
  CHECK(check_node(site, now.records(), {measure(again, 3, 1)}).exit_code == 0);
  NodeSite slow;
  CHECK(check_node(site, now.records(), {measure(slow, 3, 1.4)}).exit_code == verdict_failed);
}

TEST_CASE("a node that the reference has not is compared with its kind, or is unknown") {
  NodeSite site;
  make_reference(site);
  NodeSite fresh;
  CHECK_THAT(check_node(site, measure(fresh, 40, 1.5)).out,
             Catch::StartsWith("DRAIN n0040: ") && Catch::Contains(", its peers "));
  NodeSite other;
  other.add_night(first_day, 10, 1, [](int, int) { return NodeTruth{.cpu = "Other CPU"}; });
  const CommandResult unknown = check_node(site, other.records());
  CHECK(unknown.exit_code == 0);
  CHECK(unknown.out == "UNKNOWN n0000: no usual figures of this node or of its kind\n");
  CHECK(check_node(site, other.records(), {"--strict"}).exit_code == 4);
}

TEST_CASE("eight checks and a new reference at once all succeed") {
  NodeSite site;
  make_reference(site);
  NodeSite now;
  const std::string records = measure(now, 3, 1);
  std::array<int, 8> codes{};
  {
    std::vector<std::jthread> checks;
    checks.emplace_back([&] {
      for (int i = 0; i < 3; ++i) {
        run_command({built("hockney"), "health", "reference", "--history",
                     site.at("history.sqlite"), "-o", site.at("reference.json")});
      }
    });
    for (int& code : codes) {
      checks.emplace_back([&] { code = check_node(site, records).exit_code; });
    }
  }
  CHECK(codes == std::array<int, 8>{});
}

TEST_CASE("wrong input of a node's check is refused in one line") {
  NodeSite site;
  make_reference(site);
  const std::string reference = site.at("reference.json");
  const std::string history = site.at("history.sqlite");
  check_refusals(
      {built("hockney"), "health"},
      {{{"node"}, "no records given"},
       {{"node", site.records()}, "no --reference given"},
       {{"node", site.records(), "--reference", site.at("none.json")}, "none.json"},
       {{"node", site.records(), "--reference", history}, "history.sqlite"},
       {{"node", site.records(), "--reference", reference}, "records of 12 hosts (one node is"},
       {{"node", site.records(), "--reference", reference, "--host", "n003"}, "did you mean 'n00"},
       {{"node", site.records(), "--reference", reference, "--beyond", "3"}, "for --beyond"},
       {{"reference"}, "no --output given"},
       {{"reference", "-o", "x", "--history", "/no/such.sqlite"}, "there is no such file"},
       {{"reference", "-o", "/no/folder/x", "--history", history}, "/no/folder/x", run_failed}});
}

}  // namespace hockney::health
