#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/error.hpp"
#include "tests/support/synthetic_fleet.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney::fleet {
namespace {

std::vector<FleetPair> all_pairs(std::size_t nodes) {
  std::vector<FleetPair> pairs;
  for (std::size_t a = 0; a < nodes; ++a) {
    for (std::size_t b = a + 1; b < nodes; ++b) pairs.push_back({a, b, (a + b) % 2, 0});
  }
  return pairs;
}

const NodeEffect& node_of(const FleetNight& night, const std::string& host) {
  return *std::ranges::find(night.nodes, host, &NodeEffect::host);
}

}  // namespace

TEST_CASE("without noise the fit finds class, nodes and a link exactly") {
  const std::vector<double> truth{0.3, 0, 0, -0.1, 0, 0, 0.05, 0};
  std::vector<FleetPair> pairs = all_pairs(8);
  for (FleetPair& pair : pairs) {
    pair.log_seconds = (pair.hop == 0 ? -10 : -9) + truth[pair.a] + truth[pair.b];
  }
  pairs[15].log_seconds += 0.5;
  const FleetFit fit = fit_fleet(pairs, 8, 2);
  CHECK(fit.classes[0] == Approx(-10).margin(1e-4));
  CHECK(fit.classes[1] == Approx(-9).margin(1e-4));
  for (std::size_t i = 0; i < 8; ++i) CHECK(fit.nodes[i] == Approx(truth[i]).margin(1e-4));
  CHECK(fit.residuals[15] == Approx(0.5).margin(1e-3));
  CHECK(fit.residuals[3] == Approx(0).margin(1e-4));
}

TEST_CASE("the spread of a pair is estimated without bias on full and sparse designs") {
  for (const int rounds : {31, 8, 4}) {
    std::mt19937_64 random(7);
    double sum = 0;
    for (std::uint64_t night = 0; night < 60; ++night) {
      const FleetTruth truth{.rounds = rounds, .spread = 0.05, .spikes = 0};
      sum += judge_fleet(synthetic_fleet(truth, night, random)).pair_sigma;
    }
    CHECK(sum / 60 == Approx(0.05).epsilon(0.08));
  }
}

TEST_CASE("a slow node is named, and no other, however few have to do with it") {
  std::mt19937_64 random(8);
  const FleetNight night = judge_fleet(synthetic_fleet({.slow_node = 0.25}, 0, random));
  CHECK(night.undecided == FleetUndecided::none);
  REQUIRE(night.nodes.size() == 32);
  CHECK(night.nodes[0].host == "node0");
  CHECK(night.nodes[0].named);
  CHECK(night.nodes[0].severity == Severity::isolate);
  CHECK(night.nodes[0].pairs == 31);
  CHECK(night.nodes[0].interval->low < 0.25);
  CHECK(night.nodes[0].interval->high > 0.25);
  CHECK(*night.nodes[0].score > night.cut);
  CHECK(std::ranges::count(night.nodes, true, &NodeEffect::named) == 1);
  CHECK(night.links.size() == 496);
}

TEST_CASE("four nodes, one of them five times slower: named, and nothing else") {
  std::vector<NightlyPair> pairs;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (int a = 1; a <= 4; ++a) {
    for (int b = a + 1; b <= 4; ++b) {
      const double slow = a == 2 || b == 2 ? 30 : 1;
      pairs.push_back({"hx" + std::to_string(a), "hx" + std::to_string(b), "switch",
                       1e-3 * slow * (1 + 0.03 * normal(random)), 5});
    }
  }
  const FleetNight night = judge_fleet(pairs);
  CHECK(night.nodes[0].host == "hx2");
  CHECK(night.nodes[0].named);
  CHECK(night.nodes[0].severity == Severity::isolate);
  CHECK(std::ranges::count(night.nodes, true, &NodeEffect::named) == 1);
}

/// Eight nodes on two switches: a slow cable takes as long to each of them, which is 15 times as
/// long as usual on its own switch, and 4 times as long to the other.
TEST_CASE("the links of a node with a slow cable are no suspects beside it") {
  std::vector<NightlyPair> pairs;
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal;
  for (int a = 1; a <= 8; ++a) {
    for (int b = a + 1; b <= 8; ++b) {
      const bool same = (a <= 4) == (b <= 4);
      const double seconds = a == 2 || b == 2 ? 26e-3 : same ? 1.7e-3 : 6.5e-3;
      pairs.push_back({"n" + std::to_string(a), "n" + std::to_string(b), same ? "same" : "other",
                       seconds * (1 + 0.02 * normal(random)), 5});
    }
  }
  const FleetNight night = judge_fleet(pairs);
  CHECK(night.nodes[0].host == "n2");
  CHECK(std::ranges::count(night.nodes, true, &NodeEffect::named) == 1);
  CHECK(std::ranges::count(night.links, true, &LinkEffect::is_explained) == 7);
  for (const LinkEffect& link : night.suspects) {
    CAPTURE(link.a, link.b, link.effect);
    CHECK((link.a != "n2" && link.b != "n2"));
  }
  const std::vector<FleetNight> nights(20, night);
  for (const LinkVerdict& link : persistent_links(nights)) {
    CAPTURE(link.a, link.b, link.effect);
    CHECK((link.a != "n2" && link.b != "n2"));
  }
}

TEST_CASE("a slow link is a suspect and no slow node") {
  std::mt19937_64 random(10);
  const FleetNight night = judge_fleet(synthetic_fleet({.slow_link = 0.6}, 0, random));
  REQUIRE_FALSE(night.suspects.empty());
  CHECK(night.suspects.size() <= 16);
  CHECK(night.suspects[0].a == "node0");
  CHECK(night.suspects[0].effect == Approx(0.6).margin(0.2));
  CHECK(std::ranges::count(night.nodes, true, &NodeEffect::named) == 0);
  CHECK(std::ranges::is_sorted(night.suspects, std::ranges::greater{}, &LinkEffect::score));
}

TEST_CASE("a pair that is given twice counts once, with its median") {
  std::mt19937_64 random(11);
  auto pairs = synthetic_fleet({.nodes = 8, .rounds = 7}, 0, random);
  auto doubled = pairs;
  for (NightlyPair pair : pairs) {
    std::swap(pair.a, pair.b);
    doubled.push_back(pair);
  }
  const FleetNight once = judge_fleet(pairs);
  const FleetNight twice = judge_fleet(doubled);
  CHECK(twice.links.size() == 28);
  CHECK(node_of(twice, "node3").effect == Approx(node_of(once, "node3").effect));
  CHECK(node_of(twice, "node3").pairs == 7);
}

TEST_CASE("what no design can tell is undecided") {
  CHECK(judge_fleet({}).undecided == FleetUndecided::too_few_nodes);
  std::vector<NightlyPair> pairs{
      {"a", "b", "x", 1, 1}, {"b", "c", "x", 1, 1}, {"c", "a", "x", 1, 1}};
  CHECK(judge_fleet(pairs).undecided == FleetUndecided::too_few_nodes);
  pairs.push_back({"a", "d", "x", 1, 1});
  CHECK(judge_fleet(pairs).undecided == FleetUndecided::too_few_pairs);
  std::vector<NightlyPair> sides;
  for (const char* left : {"a", "b", "c"}) {
    for (const char* right : {"d", "e", "f"}) sides.push_back({left, right, "x", 1, 1});
  }
  CHECK(judge_fleet(sides).undecided == FleetUndecided::ambiguous);
  sides.push_back({"a", "b", "x", 1, 1});
  CHECK(judge_fleet(sides).undecided == FleetUndecided::none);
}

TEST_CASE("a node with one pair has no score and is not named") {
  std::mt19937_64 random(12);
  auto pairs = synthetic_fleet({.nodes = 8, .rounds = 7}, 0, random);
  pairs.push_back({"node1", "lonely", "rack", 5e-6, 1});
  const FleetNight night = judge_fleet(pairs);
  const NodeEffect& lonely = node_of(night, "lonely");
  CHECK_FALSE(lonely.score);
  CHECK_FALSE(lonely.interval);
  CHECK_FALSE(lonely.named);
}

TEST_CASE("pairs that cannot be are refused") {
  CHECK_THROWS_AS(judge_fleet(std::vector<NightlyPair>{{"a", "a", "x", 1, 1}}), InputError);
  CHECK_THROWS_AS(judge_fleet(std::vector<NightlyPair>{{"a", "b", "x", 0, 1}}), InputError);
}

TEST_CASE("a named node is slow until a later night judges it") {
  const auto node = [](const std::string& host, double effect, bool named) {
    return NodeEffect{.host = host, .effect = effect, .interval = {}, .score = 5, .named = named};
  };
  NodeEffect alone = node("c", 0, false);
  alone.score.reset();  // one pair judges no node
  const std::vector<DatedFleet> nights{
      {10, {.nodes = {node("a", 0.5, true), node("b", 0.4, true), node("c", 0.3, true)}}},
      {11, {.undecided = FleetUndecided::too_few_nodes, .nodes = {}}},
      {12, {.nodes = {node("b", 0, false), alone, node("d", 0.1, true)}}}};
  const FleetNight tonight = with_open_nodes(nights, 12);
  std::vector<std::string> hosts;
  for (const NodeEffect& one : tonight.nodes) {
    hosts.push_back(one.host + (one.named ? "!" : "") + (one.day ? std::to_string(*one.day) : ""));
  }
  CHECK(hosts == std::vector<std::string>{"a!10", "c!10", "d!", "b"});
  const FleetNight later = with_open_nodes(nights, 13);
  CHECK(node_of(later, "d").day == 12);
}

}  // namespace hockney::fleet
