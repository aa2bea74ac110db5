#include "core/shuffle.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

namespace hockney {

TEST_CASE("an order follows from the numbers that are drawn, by Fisher and Yates") {
  struct Counting {
    static constexpr std::uint64_t max() { return UINT64_MAX; }
    std::uint64_t operator()() { return next++; }
    std::uint64_t next = 7;
  };
  Counting draw;
  // By hand: 7 % 4 = 3 leaves the last; 8 % 3 = 2 the one before; 9 % 2 = 1 the one before that.
  CHECK(random_order(4, draw) == std::vector<std::size_t>{0, 1, 2, 3});
  draw.next = 4;  // 4 % 4 = 0: 3 1 2 0; 5 % 3 = 2: as it is; 6 % 2 = 0: 1 3 2 0
  CHECK(random_order(4, draw) == std::vector<std::size_t>{1, 3, 2, 0});
  CHECK(random_order(0, draw).empty());
}

TEST_CASE("all orders are equally likely") {
  std::mt19937_64 random(1);
  std::map<std::vector<std::size_t>, int> seen;
  constexpr int draws = 24000;
  for (int i = 0; i < draws; ++i) ++seen[random_order(4, random)];
  CHECK(seen.size() == 24);
  // 1000 each; five standard deviations are 155.
  for (const auto& [order, times] : seen) CHECK(std::abs(times - draws / 24) < 155);
}

}  // namespace hockney
