#include "placement/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/pair_graph.hpp"
#include "core/shuffle.hpp"

namespace hockney::placement {
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

constexpr int fewest_that_tell = 3;  // two rounds make cycles of even length only

void require_sound(int players, int rounds) {
  if (players < 2) {
    throw InputError(
        {std::to_string(players) + " nodes make no pair", "a pair has two", "give at least 2"});
  }
  const int all = tournament_rounds(players);
  if (rounds >= 1 && rounds <= all) return;
  throw InputError({std::to_string(rounds) + " rounds of pairs of " + std::to_string(players),
                    "after " + std::to_string(all) + " all pairs have been measured",
                    "give 1 to " + std::to_string(all)});
}

std::vector<int> shuffled(int n, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  return order;
}

/// A round of the tournament in which players have these names.
Round named_round(const std::vector<int>& names, int turn) {
  Round round = tournament_round(static_cast<int>(names.size()), turn);
  for (RankPair& pair : round) {
    const int first = names[static_cast<std::size_t>(pair.first)];
    const int second = names[static_cast<std::size_t>(pair.second)];
    pair = {std::min(first, second), std::max(first, second)};
  }
  return round;
}

bool tells_players_apart(const std::vector<Round>& rounds, int players) {
  std::vector<Edge> edges;
  for (const Round& round : rounds) {
    for (const RankPair& pair : round) {
      edges.push_back(
          {static_cast<std::size_t>(pair.first), static_cast<std::size_t>(pair.second)});
    }
  }
  return every_part_has_an_odd_cycle(edges, static_cast<std::size_t>(players));
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

std::vector<Round> sparse_tournament(int players, const SparseDesign& design) {
  require_sound(players, design.rounds);
  std::mt19937_64 random(design.seed);
  const std::vector<int> names = shuffled(players, random);
  const std::vector<int> order = shuffled(tournament_rounds(players), random);
  const auto wanted = static_cast<std::size_t>(design.rounds);
  const std::size_t first = design.night % order.size() * wanted % order.size();
  const auto nth = [&](std::size_t k) {
    return named_round(names, order[(first + k) % order.size()]);
  };
  std::vector<Round> rounds;
  for (std::size_t k = 0; k < wanted; ++k) rounds.push_back(nth(k));
  if (design.rounds < fewest_that_tell) return rounds;
  for (std::size_t k = wanted; k < order.size() && !tells_players_apart(rounds, players); ++k) {
    rounds.back() = nth(k);
  }
  return rounds;
}

}  // namespace hockney::placement
