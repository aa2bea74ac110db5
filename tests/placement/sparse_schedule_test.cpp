#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "placement/rank_pairs.hpp"
#include "tests/placement/played_pairs.hpp"

namespace hockney::placement {

TEST_CASE("all rounds are all pairs, each once") {
  for (const int nodes : {2, 3, 4, 7, 8, 33}) {
    const int rounds = nodes % 2 == 0 ? nodes - 1 : nodes;
    const auto pairs = pairs_of(sparse_tournament(nodes, {.rounds = rounds}));
    CHECK(std::ssize(pairs) == nodes * (nodes - 1) / 2);
    CHECK(pairs.rbegin()->second == nodes - 1);
  }
}

TEST_CASE("each node is in one pair of a round, so that the cost grows as the nodes") {
  for (const int nodes : {16, 33}) {
    const auto design = sparse_tournament(nodes, {.rounds = 5, .seed = 2});
    CHECK(design.size() == 5);
    pairs_of(design);
    for (const Round& round : design) CHECK(std::ssize(round) == nodes / 2);
  }
}

TEST_CASE("the seed decides, and nights take turns until all pairs were measured") {
  CHECK(sparse_tournament(12, {3, 0, 5}) == sparse_tournament(12, {3, 0, 5}));
  CHECK(sparse_tournament(12, {3, 0, 5}) != sparse_tournament(12, {3, 0, 6}));
  PairSet seen;
  for (std::uint64_t night = 0; night < 4; ++night) {
    seen.merge(pairs_of(sparse_tournament(12, {3, night, 5})));
  }
  CHECK(seen.size() == 66);
  CHECK(sparse_tournament(12, {3, 11, 5}) == sparse_tournament(12, {3, 0, 5}));  // 33 rounds on
}

TEST_CASE("sparse designs can tell nodes apart") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const int nodes : {8, 24, 64}) {
      std::vector<Edge> edges;
      for (const Round& round : sparse_tournament(nodes, {4, seed % 5, seed})) {
        for (const RankPair& pair : round)
          edges.push_back(
              {static_cast<std::size_t>(pair.first), static_cast<std::size_t>(pair.second)});
      }
      CHECK(every_part_has_an_odd_cycle(edges, static_cast<std::size_t>(nodes)));
    }
  }
}

TEST_CASE("designs that cannot be are refused") {
  CHECK_THROWS_AS(sparse_tournament(1, {1}), InputError);
  CHECK_THROWS_AS(sparse_tournament(8, {0}), InputError);
  CHECK_THROWS_AS(sparse_tournament(8, {8}), InputError);
  CHECK(sparse_tournament(9, {9}).size() == 9);
}

}  // namespace hockney::placement
