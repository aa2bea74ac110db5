#pragma once

#include <cstdint>
#include <vector>

#include "placement/schedule.hpp"

namespace hockney {

/// Which part of the tournament is played.
struct SparseDesign {
  int rounds = 0;           ///< each player is in one pair of a round
  std::uint64_t night = 0;  ///< 0 begins with the first round, 1 where 0 stopped, and so on
  std::uint64_t seed = 1;   ///< of the order of players and rounds
};

/// Some rounds of the tournament of all players, whose order and that of the rounds are shuffled by
/// the seed: the cost grows as players * rounds, and after some nights all pairs have had their
/// turn. From 3 rounds on, where the pairs could not tell players from their partners
/// (core/pair_graph.hpp), the last round is another one. Equal arguments give equal rounds.
/// InputError for fewer than 2 players, no rounds, or more than the tournament has (players - 1, or
/// players when they are odd).
std::vector<Round> sparse_tournament(int players, const SparseDesign& design);

/// Rounds that find a node 10 % slow among pairs that spread by 5 %, in any number of nodes
/// (docs/health.md).
inline constexpr int usual_rounds = 16;

}  // namespace hockney
