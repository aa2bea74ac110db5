#include "placement/schedule.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace hockney {
namespace {

RankPair ascending(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// One round of `seats` (even) players: the last one keeps its seat and meets the one whose turn it
/// is; the others sit on a circle and meet the one the same number of seats away on the other side.
Round round_of(int seats, int turn) {
  const int circle = seats - 1;
  Round round{ascending(circle, turn)};
  for (int away = 1; away < seats / 2; ++away) {
    round.push_back(ascending((turn + away) % circle, (turn - away + circle) % circle));
  }
  return round;
}

void check_pair(int ranks, const RankPair& pair) {
  const auto [low, high] = ascending(pair.first, pair.second);
  if (low >= 0 && high < ranks && low != high) return;
  throw InputError({"ranks " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
                        " are no pair",
                    "there are " + std::to_string(ranks) + " ranks, counted from 0",
                    "pair two different ranks"});
}

}  // namespace

int tournament_rounds(int ranks) { return ranks < 2 ? 0 : ranks + ranks % 2 - 1; }

Round tournament_round(int ranks, int turn) {
  Round round = round_of(ranks + ranks % 2, turn);
  std::erase_if(round, [&](const RankPair& pair) { return pair.second >= ranks; });
  return round;
}

std::vector<Round> tournament(int ranks) {
  if (ranks < 0) throw InputError({"cannot pair " + std::to_string(ranks) + " ranks", {}, {}});
  const int turns = tournament_rounds(ranks);
  std::vector<Round> rounds;
  rounds.reserve(static_cast<std::size_t>(turns));
  for (int turn = 0; turn < turns; ++turn) {
    rounds.push_back(tournament_round(ranks, turn));
  }
  return rounds;
}

std::vector<Round> tournament(int ranks, const std::vector<RankPair>& wanted) {
  std::set<std::pair<int, int>> kept;
  for (const RankPair& pair : wanted) {
    check_pair(ranks, pair);
    const RankPair sorted = ascending(pair.first, pair.second);
    kept.emplace(sorted.first, sorted.second);
  }
  std::vector<Round> rounds = tournament(ranks);
  for (Round& round : rounds) {
    std::erase_if(round, [&](const RankPair& pair) {
      return !kept.contains({pair.first, pair.second});
    });
  }
  std::erase_if(rounds, [](const Round& round) { return round.empty(); });
  return rounds;
}

std::vector<Round> isolated(const std::vector<Round>& rounds) {
  std::vector<Round> single;
  for (const Round& round : rounds) {
    for (const RankPair& pair : round) single.push_back({pair});
  }
  return single;
}

}  // namespace hockney
