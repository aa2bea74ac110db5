#pragma once

#include <catch2/catch.hpp>
#include <set>
#include <utility>
#include <vector>

#include "placement/rank_pairs.hpp"

namespace hockney::placement {

using PairSet = std::set<std::pair<int, int>>;

/// The pairs of all rounds; fails when one occurs twice or a rank is in two pairs of a round.
inline PairSet pairs_of(const std::vector<Round>& rounds) {
  PairSet seen;
  for (const Round& round : rounds) {
    std::set<int> busy;
    for (const RankPair& pair : round) {
      CHECK(pair.first < pair.second);
      CHECK(busy.insert(pair.first).second);
      CHECK(busy.insert(pair.second).second);
      CHECK(seen.emplace(pair.first, pair.second).second);
    }
  }
  return seen;
}

}  // namespace hockney::placement
