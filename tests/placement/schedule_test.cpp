#include "placement/schedule.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/placement/played_pairs.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("four ranks meet in three rounds") {
  CHECK(tournament(4) == std::vector<Round>{{{0, 3}, {1, 2}}, {{1, 3}, {0, 2}}, {{2, 3}, {0, 1}}});
}

TEST_CASE("three ranks meet in three rounds with one idle") {
  CHECK(tournament(3) == std::vector<Round>{{{1, 2}}, {{0, 2}}, {{0, 1}}});
}

TEST_CASE("every pair meets once, in the fewest rounds, no rank twice at a time") {
  for (int ranks = 1; ranks <= 64; ++ranks) {
    INFO(ranks << " ranks");
    const std::vector<Round> rounds = tournament(ranks);
    const auto n = static_cast<std::size_t>(ranks);
    CHECK(rounds.size() == (n == 1 ? 0 : n - (n % 2 == 0 ? 1 : 0)));
    for (const Round& round : rounds) CHECK(round.size() == n / 2);
    const PairSet pairs = pairs_of(rounds);
    CHECK(pairs.size() == n * (n - 1) / 2);
    for (const auto& [low, high] : pairs) CHECK((low >= 0 && high < ranks));
  }
}

TEST_CASE("wanted pairs meet once, in either orientation, without empty rounds") {
  CHECK(tournament(4, {{3, 0}, {0, 3}, {1, 2}}) == std::vector<Round>{{{0, 3}, {1, 2}}});
  CHECK(tournament(4, {}).empty());
  const std::vector<RankPair> wanted{{0, 9}, {8, 1}, {2, 3}, {2, 4}, {2, 5}};
  const std::vector<Round> rounds = tournament(10, wanted);
  CHECK(pairs_of(rounds) == PairSet{{0, 9}, {1, 8}, {2, 3}, {2, 4}, {2, 5}});
  for (const Round& round : rounds) CHECK_FALSE(round.empty());
}

TEST_CASE("isolated pairs have a round each") {
  CHECK(isolated(tournament(3)) == tournament(3));
  const std::vector<Round> rounds = isolated(tournament(9));
  CHECK(rounds.size() == 36);
  for (const Round& round : rounds) CHECK(round.size() == 1);
  CHECK(pairs_of(rounds).size() == 36);
  CHECK(isolated({}).empty());
}

TEST_CASE("pairs of ranks that do not exist are refused") {
  CHECK(tournament(0).empty());
  CHECK_THROWS_AS(tournament(-1), InputError);
  CHECK_THROWS_AS(tournament(4, {{0, 4}}), InputError);
  CHECK_THROWS_AS(tournament(4, {{-1, 2}}), InputError);
  CHECK_THROWS_WITH(tournament(4, {{2, 2}}), Catch::StartsWith("ranks 2 and 2 are no pair"));
}

}  // namespace
}  // namespace hockney::placement
