#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "components/health/detection/peers.hpp"
#include "tests/support/study.hpp"
#include "tests/support/synthetic_nodes.hpp"

// Nodes compared with their peers and with themselves, on fleets whose truth is known.
namespace hockney::health {
namespace {

PeerVerdict judge(const NightTable& logs, std::vector<std::vector<std::size_t>> groups = {}) {
  const std::size_t tests = 12 * logs.rows();
  return judge_peers({.logs = logs, .groups = std::move(groups)}, {.tests = tests});
}

void slow_down(NightTable& logs, std::size_t node, std::size_t from, double ratio) {
  for (std::size_t night = from; night < logs.nights; ++night) {
    logs.row(node)[night] += static_cast<float>(std::log(ratio));
  }
}

}  // namespace

TEST_CASE("a node that became slower is named against itself, with its first night") {
  NightTable logs = synthetic_nodes({.nodes = 24, .nights = 40}, 0);
  slow_down(logs, 5, 37, 1.3);
  const PeerVerdict verdict = judge(logs);
  REQUIRE(verdict.slow.size() == 1);
  CHECK(verdict.slow[0].node == 5);
  CHECK(verdict.slow[0].against == Against::itself);
  CHECK(verdict.slow[0].since == 37);
  CHECK(std::expm1(verdict.slow[0].shift) == Approx(0.3).margin(0.03));
  CHECK(verdict.slow[0].interval.low < verdict.slow[0].shift);
  CHECK(verdict.slow[0].interval.high > verdict.slow[0].shift);
  CHECK(verdict.outliers.empty());
}

TEST_CASE("a node that was always slow is named against its peers") {
  NightTable logs = synthetic_nodes({.nodes = 100, .nights = 20, .node_spread = 0.01}, 0);
  slow_down(logs, 9, 0, 1.25);
  const PeerVerdict verdict = judge(logs);
  REQUIRE(verdict.slow.size() == 1);
  CHECK(verdict.slow[0].node == 9);
  CHECK(verdict.slow[0].against == Against::peers);
  CHECK_FALSE(verdict.slow[0].since);
}

TEST_CASE("one night far off is an outlier until more nights follow") {
  NightTable logs = synthetic_nodes({.nodes = 24, .nights = 8}, 0);
  slow_down(logs, 3, 7, 1.4);
  const PeerVerdict verdict = judge(logs);
  CHECK(verdict.slow.empty());
  REQUIRE(verdict.outliers.size() == 1);
  CHECK(verdict.outliers[0].node == 3);
}

TEST_CASE("two kinds of equal nodes are two modes and no slow nodes") {
  NightTable logs = synthetic_nodes({.nodes = 200, .nights = 30}, 0);
  for (std::size_t node = 0; node < 40; ++node) slow_down(logs, node, 0, 1.08);
  const PeerVerdict verdict = judge(logs);
  CHECK(verdict.slow.empty());
  REQUIRE(verdict.modes.size() == 2);
  CHECK(verdict.modes[0].nodes.size() == 160);
  CHECK(verdict.modes[1].nodes.size() == 40);
  CHECK(verdict.modes[1].shift == Approx(std::log(1.08)).margin(0.01));
  CHECK_FALSE(verdict.modes[1].since);
}

TEST_CASE("a rack that became slower is one finding, and its slowest node another") {
  NightTable logs = synthetic_nodes({.nodes = 400, .nights = 40}, 0);
  std::vector<std::vector<std::size_t>> racks(25);
  for (std::size_t node = 0; node < 400; ++node) racks[node / 16].push_back(node);
  for (const std::size_t node : racks[3]) slow_down(logs, node, 33, 1.06);
  slow_down(logs, racks[3][2], 33, 1.3);
  const PeerVerdict verdict = judge(logs, racks);
  REQUIRE(verdict.groups.size() == 1);
  CHECK(verdict.groups[0].node == 3);
  CHECK(verdict.groups[0].since == 33);
  CHECK(std::expm1(verdict.groups[0].shift) == Approx(0.06).margin(0.01));
  REQUIRE(verdict.slow.size() == 1);
  CHECK(verdict.slow[0].node == racks[3][2]);
}

TEST_CASE("what all nodes share names none of them") {
  NightTable logs = synthetic_nodes({.nodes = 24, .nights = 40}, 0);
  for (std::size_t node = 0; node < 24; ++node) slow_down(logs, node, 35, 1.2);
  const PeerVerdict verdict = judge(logs);
  CHECK(verdict.slow.empty());
  CHECK(verdict.modes.size() == 1);
}

TEST_CASE("nodes that come, go and were not measured have no verdict of their own") {
  NightTable logs = synthetic_nodes({.nodes = 24, .nights = 40}, 0);
  constexpr float absent = std::numeric_limits<float>::quiet_NaN();
  slow_down(logs, 1, 30, 1.3);
  logs.row(1)[39] = absent;  // not measured tonight
  for (std::size_t night = 0; night < 32; ++night) logs.row(2)[night] = absent;  // new
  for (std::size_t night = 5; night < 35; ++night) logs.row(3)[night] = absent;  // drained
  const PeerVerdict verdict = judge(logs);
  CHECK(verdict.slow.empty());
  CHECK(verdict.outliers.empty());
  CHECK(judge(synthetic_nodes({.nodes = 3, .nights = 40}, 0)).modes.empty());
}

TEST_CASE(
    "a usual level that was too small by chance is no shift, in a fleet of correlated nights") {
  const NightTable logs =
      synthetic_nodes({.nodes = 2000, .nights = 90, .noise = NodeNoise::correlated, .seed = 3}, 9);
  for (std::size_t night = 76; night < logs.nights; night += 2) {
    CAPTURE(night);
    CHECK(judge(window_of(logs, night, 60)).slow.empty());
  }
}

TEST_CASE("few healthy nodes are named in 100 nights, whatever the noise and size", "[study]") {
  for (const std::size_t nodes : first_of(1, std::vector<std::size_t>{24, 200, 2000})) {
    for (const NodeNoise noise :
         {NodeNoise::normal, NodeNoise::spiky, NodeNoise::student, NodeNoise::correlated}) {
      const std::size_t nights = is_nightly() && nodes < 2000 ? 330 : 70;
      const NodesStudy study = study_nodes({.nodes = nodes, .nights = nights, .noise = noise}, 30);
      CAPTURE(nodes, static_cast<int>(noise), study.nights, study.false_nodes);
      // 3 in 100 nights, and one alarm of 7 nights by chance
      CHECK(static_cast<double>(study.false_nodes) <= 7 + 0.03 * static_cast<double>(study.nights));
      CHECK(study.false_modes == 0);
    }
  }
}

TEST_CASE("a slow node is named within days", "[study]") {
  struct Case {
    double slow;
    NodeNoise noise;
    std::size_t nights;
  };
  for (const std::size_t nodes : first_of(1, std::vector<std::size_t>{24, 200, 2000})) {
    for (const Case& one : {Case{0.05, NodeNoise::normal, 6}, Case{0.10, NodeNoise::normal, 4},
                            Case{0.30, NodeNoise::normal, 3}, Case{0.30, NodeNoise::spiky, 14}}) {
      const NodesStudy study = study_nodes({.nodes = nodes,
                                            .figures = 1,
                                            .tests = 12 * nodes,
                                            .nights = 64,
                                            .noise = one.noise,
                                            .slow = one.slow,
                                            .slow_from = 45},
                                           45);
      CAPTURE(nodes, one.slow, static_cast<int>(one.noise));
      CHECK(study.found_after >= 1);
      CHECK(study.found_after <= one.nights);
    }
  }
}

}  // namespace hockney::health
