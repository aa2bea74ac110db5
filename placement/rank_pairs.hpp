#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/site_file.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// The distance between two ranks, near to far. Within a node it is the closest part that both CPUs
/// share:
/// - smt: a core;
/// - l2: an L2 (or L1) cache;
/// - l3: an L3 cache;
/// - numa: the local memory in one package;
/// - package: only the package;
/// - cross_package: only the node.
/// Processors may have performance cores and other kinds. There l3 is for two performance cores,
/// and l3_efficient for two others of one kind. Two cores of different kinds in one package are
/// kinds.
enum class Hop { smt, l2, l3, l3_efficient, kinds, numa, package, cross_package, cross_node };

constexpr auto words_of(std::type_identity<Hop>) {
  return std::to_array<std::string_view>({"smt", "l2", "l3", "l3-efficient", "kinds", "numa",
                                          "package", "cross-package", "cross-node"});
}

/// Every class inside a node, near to far.
inline constexpr std::array node_hops{Hop::smt,   Hop::l2,   Hop::l3,      Hop::l3_efficient,
                                      Hop::kinds, Hop::numa, Hop::package, Hop::cross_package};

/// "smt", "l2", "l3", "l3-efficient", "kinds", "numa", "package", "cross-package", "cross-node".
std::string hop_name(Hop hop);

/// The reverse of hop_name; InputError with the nearest class otherwise.
Hop parse_hop(std::string_view name);

/// "smt,l3" to two classes, in the order written; InputError as parse_hop.
std::vector<Hop> parse_hops(std::string_view names);

/// The class of two PUs of one node, symmetric; nullopt for the same PU.
std::optional<Hop> hop_class(const Pu& a, const Pu& b);

/// The class of two CPUs of one node, usable or left out; nullopt if they are the same. InputError
/// if the node has no such CPU.
std::optional<Hop> hop_class(const Topology& topology, int cpu_a, int cpu_b);

/// Two CPUs of one node, numbered by the operating system; `first` < `second`.
struct CpuPair {
  int first = 0;
  int second = 0;

  friend bool operator==(const CpuPair&, const CpuPair&) = default;
};

CpuPair make_pair_of(int cpu_a, int cpu_b);

struct HopPair {
  Hop hop = Hop::smt;
  CpuPair cpus;

  friend bool operator==(const HopPair&, const HopPair&) = default;
};

struct HopCount {
  Hop hop = Hop::smt;
  std::size_t pairs = 0;

  friend bool operator==(const HopCount&, const HopCount&) = default;
};

/// All n(n-1)/2 pairs of usable CPUs with their class. They are the upper triangle of the pair
/// matrix, row by row, in the order of `topology.pus`.
std::vector<HopPair> all_pairs(const Topology& topology);

/// The number of pairs of each class, near to far, without empty classes.
std::vector<HopCount> count_pairs(const Topology& topology);

/// Up to `count` pairs of the class without common cores, evenly spread over the machine. One PU
/// per core, except for smt. The core of CPU 0, which handles more interrupts, is used only if
/// needed. Deterministic; fewer pairs if the machine has no more.
std::vector<CpuPair> spread_pairs(const Topology& topology, Hop hop, std::size_t count);

/// Whether the PU shares its core with CPU 0.
bool beside_cpu_zero(const Topology& topology, const Pu& pu);

/// Two ranks that communicate; this header returns them with `first` < `second`.
struct RankPair {
  int first = 0;
  int second = 0;

  friend bool operator==(const RankPair&, const RankPair&) = default;
};

/// Pairs that communicate at the same time; each rank is in at most one.
using Round = std::vector<RankPair>;

/// Every pair of ranks 0..ranks-1 exactly once, in the fewest rounds. Circle method (Kirkman 1847;
/// de Werra, "Scheduling in sports", 1981). An even number of ranks takes ranks-1 rounds of ranks/2
/// pairs. An odd one takes `ranks` rounds, each with one idle rank. No rounds for fewer than two
/// ranks; InputError for a negative number.
std::vector<Round> tournament(int ranks);

/// The number of rounds of the tournament; 0 for fewer than two ranks.
int tournament_rounds(int ranks);

/// The tournament restricted to the wanted pairs, given in any orientation, without empty rounds.
/// InputError if a pair has a rank outside 0..ranks-1 or one rank twice.
std::vector<Round> tournament(int ranks, const std::vector<RankPair>& wanted);

/// The pairs of the rounds in order, one per round, so that pairs do not disturb each other.
std::vector<Round> isolated(const std::vector<Round>& rounds);

/// A part of the tournament.
struct SparseDesign {
  int rounds = 0;           ///< each player is in at most one pair per round
  std::uint64_t night = 0;  ///< 0 begins with the first round; 1 continues, and so on
  std::uint64_t seed = 1;   ///< of the order of players and rounds
};

/// Some rounds of the tournament of all players, with players and rounds shuffled by the seed. The
/// cost grows as players * rounds; over several nights every pair occurs. With 3 or more rounds,
/// pairs must separate players from their partners (core/statistics.hpp). If they do not, the last
/// round is replaced. Equal arguments give equal rounds. InputError for fewer than 2 players, no
/// rounds, or more rounds than the tournament has (players - 1; players if odd).
std::vector<Round> sparse_tournament(int players, const SparseDesign& design);

/// Rounds that detect a node that is 10 % slow if pairs vary by 5 %, for any number of nodes
/// (docs/explanation/health.md).
inline constexpr int usual_rounds = 16;

/// The node and PU of a rank.
struct RankSite {
  int node = 0;            ///< nodes are numbered from 0
  const Pu* pu = nullptr;  ///< nullptr if the rank is not bound to one CPU
};

/// The hop class of two ranks. nullopt for two ranks of one node if one is not bound or they share
/// a CPU.
std::optional<Hop> hop_between(const RankSite& one, const RankSite& other);

/// Two ranks and their hop class.
struct RankHop {
  RankPair ranks;
  std::optional<Hop> hop;

  friend bool operator==(const RankHop&, const RankHop&) = default;
};

/// The nodes of a job in the network.
struct NodeNetwork {
  const SiteFile& sites;
  std::vector<std::string> hosts;  ///< the name of each node
};

/// One pair for each class that occurs, near to far. With a network, also one for each network
/// class, sorted by name. `sites` are those of ranks 0, 1, and so on. Prefers pairs with the fewest
/// ranks on CPU 0's core, then the lowest ranks. CPU 0's core is known only if a rank is bound to
/// CPU 0. Time grows with the pairs of ranks within nodes and of places in the network, not of
/// nodes. InputError for a host that is not in the network.
std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const NodeNetwork* network = nullptr);

}  // namespace hockney::placement
