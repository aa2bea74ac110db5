#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "components/health/detection/check.hpp"
#include "placement/rank_pairs.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney {

/// A fleet whose truth is known, in one night.
struct FleetTruth {
  int nodes = 32;
  int rounds = 31;             ///< of the tournament; nodes - 1 (nodes, when odd): all pairs
  double spread = 0.05;        ///< coefficient of variation of pairs
  double night_spread = 0.03;  ///< of what all pairs of a night have in common
  double spikes = 0.02;        ///< share of pairs that take 10 to 50 % longer
  double slow_node = 0;        ///< how much longer the pairs of node 0 take [ratio - 1]
  double slow_link = 0;        ///< the same of the first pair of the design
};

inline std::string host(int node) { return "node" + std::to_string(node); }

/// Times of about 1 us; pairs inside a rack of 16 nodes are twice as fast as others.
inline std::vector<fleet::NightlyPair> synthetic_fleet(const FleetTruth& truth, std::uint64_t night,
                                                       std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const double common = 1 + truth.night_spread * normal(random);
  std::vector<fleet::NightlyPair> pairs;
  const placement::SparseDesign design{.rounds = truth.rounds, .night = night};
  for (const placement::Round& round : sparse_tournament(truth.nodes, design)) {
    for (const placement::RankPair& pair : round) {
      const bool near = pair.first / 16 == pair.second / 16;
      double seconds = (near ? 1e-6 : 2e-6) * common;
      seconds *= std::max(0.5, 1 + truth.spread * normal(random));
      if (uniform(random) < truth.spikes) seconds *= 1.1 + 0.4 * uniform(random);
      if (pair.first == 0) seconds *= 1 + truth.slow_node;
      pairs.push_back({host(pair.first), host(pair.second), near ? "rack" : "group", seconds, 1});
    }
  }
  // The circle's order makes the first pair another one every night; the lowest is always the same.
  const auto link = std::ranges::min_element(
      pairs, {}, [](const fleet::NightlyPair& pair) { return std::pair(pair.a, pair.b); });
  link->seconds *= 1 + truth.slow_link;
  return pairs;
}

/// How nights of fleets came out.
struct FleetStudy {
  int nights = 0;
  int found = 0;        ///< nights in which node 0 is named
  int false_nodes = 0;  ///< others that are named
};

inline FleetStudy study_fleet(const FleetTruth& truth, int nights, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FleetStudy study;
  for (int night = 0; night < nights; ++night) {
    const auto pairs = synthetic_fleet(truth, static_cast<std::uint64_t>(night), random);
    for (const fleet::NodeEffect& node : fleet::judge_fleet(pairs).nodes) {
      const bool slow = node.host == host(0) && truth.slow_node > 0;
      study.found += node.named && slow;
      study.false_nodes += node.named && !slow;
    }
    ++study.nights;
  }
  return study;
}

}  // namespace hockney
