#include "verdicts/health/design.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "verdicts/health/fleet_fit.hpp"

using namespace hockney;

namespace {

std::set<std::pair<std::size_t, std::size_t>> pairs_of(const std::vector<PairRound>& design) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const PairRound& round : design) {
    for (const NodePair& pair : round) {
      CHECK(pair.a < pair.b);
      CHECK(pairs.emplace(pair.a, pair.b).second);  // no pair twice
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("all rounds are all pairs, each once") {
  for (const std::size_t nodes : {2U, 3U, 4U, 7U, 8U, 33U}) {
    const std::size_t rounds = nodes % 2 == 0 ? nodes - 1 : nodes;
    const auto pairs = pairs_of(sparse_design(nodes, rounds, 1));
    CHECK(pairs.size() == nodes * (nodes - 1) / 2);
    CHECK(pairs.rbegin()->second == nodes - 1);
  }
}

TEST_CASE("each node is in one pair of a round, so that the cost grows as the nodes") {
  for (const std::size_t nodes : {16U, 33U}) {
    const auto design = sparse_design(nodes, 5, 2);
    CHECK(design.size() == 5);
    for (const PairRound& round : design) {
      CHECK(round.size() == nodes / 2);
      std::set<std::size_t> busy;
      for (const NodePair& pair : round) {
        CHECK(busy.insert(pair.a).second);
        CHECK(busy.insert(pair.b).second);
      }
    }
  }
}

TEST_CASE("the seed decides, and nights take turns until all pairs were measured") {
  CHECK(sparse_design(12, 3, 5) == sparse_design(12, 3, 5));
  CHECK(sparse_design(12, 3, 5) != sparse_design(12, 3, 6));
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (std::uint64_t night = 0; night < 4; ++night) {
    seen.merge(pairs_of(sparse_design(12, 3, 5, night)));
  }
  CHECK(seen.size() == 66);
  CHECK(sparse_design(12, 3, 5, 11) == sparse_design(12, 3, 5, 0));  // 33 rounds on
}

TEST_CASE("sparse designs can tell nodes apart") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const std::size_t nodes : {8U, 24U, 64U}) {
      std::vector<FleetPair> pairs;
      for (const PairRound& round : sparse_design(nodes, 4, seed, seed % 5)) {
        for (const NodePair& pair : round) pairs.push_back({pair.a, pair.b, 0, 0});
      }
      CHECK(effects_are_unique(pairs, nodes));
    }
  }
}

TEST_CASE("designs that cannot be are refused") {
  CHECK_THROWS_AS(sparse_design(1, 1, 1), InputError);
  CHECK_THROWS_AS(sparse_design(8, 0, 1), InputError);
  CHECK_THROWS_AS(sparse_design(8, 8, 1), InputError);
  CHECK(sparse_design(9, 9, 1).size() == 9);
}
