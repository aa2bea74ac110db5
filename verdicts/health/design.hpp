#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hockney {

/// Two nodes by index, a < b.
struct NodePair {
  std::size_t a = 0;
  std::size_t b = 0;
  friend bool operator==(const NodePair&, const NodePair&) = default;
};

/// Pairs that no node is in twice, so that they can be measured at the same time.
using PairRound = std::vector<NodePair>;

/// `rounds` consecutive rounds of the tournament of all nodes (circle method), whose labels and
/// order are shuffled by the seed: each node is in one pair of a round, an odd one out rests. The
/// cost grows as nodes * rounds. `night` 0 begins with the first round, night 1 where night 0
/// stopped, so that all pairs have their turn after some nights. From 3 rounds on, where the design
/// cannot tell nodes from their partners (effects_are_unique()), its last round is another one.
/// Equal arguments give equal designs. InputError for fewer than 2 nodes, no rounds, or more than
/// the tournament has (nodes - 1, or nodes when they are odd), which is the full set of pairs.
std::vector<PairRound> sparse_design(std::size_t nodes, std::size_t rounds, std::uint64_t seed,
                                     std::uint64_t night = 0);

/// Rounds that find a node 10 % slow among pairs that spread by 5 %, in any number of nodes
/// (docs/health.md).
inline constexpr std::size_t usual_rounds = 16;

}  // namespace hockney
