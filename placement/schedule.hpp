#pragma once

#include <vector>

namespace hockney {

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

}  // namespace hockney
