#include "placement/sparse_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "core/error.hpp"
#include "core/pair_graph.hpp"

namespace hockney {
namespace {

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

/// Not std::shuffle, whose result differs between standard libraries.
std::vector<int> shuffled(int n, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
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

}  // namespace hockney
