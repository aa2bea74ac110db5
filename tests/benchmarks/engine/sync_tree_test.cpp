#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks {

TEST_CASE("the tree of eight, by hand") {
  const std::vector<SyncRound> expected{
      {{0, 4}}, {{0, 2}, {4, 6}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}};
  CHECK(sync_rounds(8) == expected);
}

TEST_CASE("those beyond the power of two learn last") {
  const std::vector<SyncRound> expected{{{0, 2}}, {{0, 1}, {2, 3}}, {{0, 4}, {1, 5}}};
  CHECK(sync_rounds(6) == expected);
}

TEST_CASE("alone there is nothing to learn") { CHECK(sync_rounds(1).empty()); }

TEST_CASE("everybody learns once, from somebody who knows, in the fewest rounds") {
  for (int participants = 1; participants <= 70; ++participants) {
    CAPTURE(participants);
    std::set<int> know{0};
    const auto rounds = sync_rounds(participants);
    CHECK(static_cast<double>(rounds.size()) == std::ceil(std::log2(participants)));
    for (const SyncRound& round : rounds) {
      std::set<int> busy;
      std::set<int> learnt;
      for (const SyncExchange& sync_exchange : round) {
        CHECK(know.contains(sync_exchange.parent));
        CHECK_FALSE(know.contains(sync_exchange.child));
        CHECK(sync_exchange.parent < sync_exchange.child);
        CHECK(busy.insert(sync_exchange.parent).second);
        CHECK(busy.insert(sync_exchange.child).second);
        learnt.insert(sync_exchange.child);
      }
      know.merge(learnt);
    }
    CHECK(know.size() == static_cast<std::size_t>(participants));
    CHECK(*know.rbegin() == participants - 1);
  }
}

}  // namespace hockney::benchmarks
