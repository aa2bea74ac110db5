#pragma once

#include <cstdint>
#include <vector>

namespace hockney::placement {

/// Two ranks that communicate; `first` < `second` in everything this header returns.
struct RankPair {
  int first = 0;
  int second = 0;

  friend bool operator==(const RankPair&, const RankPair&) = default;
};

/// Pairs that communicate at the same time; no rank is in two of them.
using Round = std::vector<RankPair>;

/// Every pair of ranks 0..ranks-1 exactly once, in the fewest rounds: the circle method (Kirkman
/// 1847; de Werra, "Scheduling in sports", 1981). An even number of ranks takes ranks-1 rounds of
/// ranks/2 pairs, an odd one `ranks` rounds with one rank idle in each. No rounds for fewer than
/// two ranks; InputError for a negative number.
std::vector<Round> tournament(int ranks);

/// How many rounds that takes; 0 for fewer than two ranks.
int tournament_rounds(int ranks);

/// Round number `turn`, counted from 0, of the tournament.
Round tournament_round(int ranks, int turn);

/// The same with the wanted pairs only, each once and in any orientation given; empty rounds are
/// dropped. InputError when a pair has a rank outside 0..ranks-1 or one rank twice.
std::vector<Round> tournament(int ranks, const std::vector<RankPair>& wanted);

/// One pair per round, so that pairs do not disturb each other: the pairs of the rounds, in order.
std::vector<Round> isolated(const std::vector<Round>& rounds);

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

}  // namespace hockney::placement
