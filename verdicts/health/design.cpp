#include "verdicts/health/design.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "core/error.hpp"
#include "verdicts/health/fleet_fit.hpp"

namespace hockney {
namespace {

constexpr std::size_t fewest_that_tell = 3;  // two rounds make cycles of even length only

std::size_t rounds_of(std::size_t nodes) { return nodes % 2 == 0 ? nodes - 1 : nodes; }

void require_sound(std::size_t nodes, std::size_t rounds) {
  if (nodes < 2) {
    throw InputError(
        {std::to_string(nodes) + " nodes make no pair", "a pair has two nodes", "give at least 2"});
  }
  if (rounds >= 1 && rounds <= rounds_of(nodes)) return;
  throw InputError({std::to_string(rounds) + " rounds of " + std::to_string(nodes) + " nodes",
                    "after " + std::to_string(rounds_of(nodes)) + " all pairs have been measured",
                    "give 1 to " + std::to_string(rounds_of(nodes))});
}

/// Not std::shuffle, whose result differs between standard libraries.
std::vector<std::size_t> shuffled(std::size_t n, std::mt19937_64& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

/// The circle method: the last seat stays, the others turn; an empty seat is a rest.
PairRound round_of(const std::vector<std::size_t>& labels, std::size_t turn) {
  const std::size_t circle = rounds_of(labels.size());
  PairRound round;
  const auto pair = [&](std::size_t a, std::size_t b) {
    round.push_back({std::min(labels[a], labels[b]), std::max(labels[a], labels[b])});
  };
  if (labels.size() > circle) pair(turn, circle);
  for (std::size_t k = 1; k <= (circle - 1) / 2; ++k) {
    pair((turn + k) % circle, (turn + circle - k) % circle);
  }
  return round;
}

bool tells_nodes_apart(const std::vector<PairRound>& design, std::size_t nodes) {
  std::vector<FleetPair> pairs;
  for (const PairRound& round : design) {
    for (const NodePair& pair : round) pairs.push_back({pair.a, pair.b, 0, 0});
  }
  return effects_are_unique(pairs, nodes);
}

}  // namespace

std::vector<PairRound> sparse_design(std::size_t nodes, std::size_t rounds, std::uint64_t seed,
                                     std::uint64_t night) {
  require_sound(nodes, rounds);
  std::mt19937_64 random(seed);
  const std::vector<std::size_t> labels = shuffled(nodes, random);
  const std::vector<std::size_t> order = shuffled(rounds_of(nodes), random);
  const std::size_t first = night % order.size() * rounds % order.size();
  std::vector<PairRound> design;
  for (std::size_t k = 0; k < rounds; ++k) {
    design.push_back(round_of(labels, order[(first + k) % order.size()]));
  }
  if (rounds < fewest_that_tell) return design;
  for (std::size_t k = rounds; k < order.size() && !tells_nodes_apart(design, nodes); ++k) {
    design.back() = round_of(labels, order[(first + k) % order.size()]);
  }
  return design;
}

}  // namespace hockney
