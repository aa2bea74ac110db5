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

/// The distance between two ranks, near to far. Inside a node it is the closest thing both CPUs
/// share: smt a core; l2 an L2 (or L1) cache; l3 an L3 cache; numa the same local memory in one
/// package; package the package only; cross_package nothing but the node. On processors with
/// several kinds of cores, performance cores and others, l3 is of two performance cores,
/// l3_efficient of two others of one kind, and kinds of two cores of different kinds in one
/// package.
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

/// The reverse of hop_name; InputError naming the nearest class.
Hop parse_hop(std::string_view name);

/// "smt,l3" to two classes, in the order written; InputError as parse_hop.
std::vector<Hop> parse_hops(std::string_view names);

/// The class of two PUs of one node, symmetric; nullopt for a PU and itself, which are no distance
/// apart.
std::optional<Hop> hop_class(const Pu& a, const Pu& b);

/// The class of two CPUs of one node, usable or left out; nullopt when they are the same.
/// InputError when the node has no such CPU.
std::optional<Hop> hop_class(const Topology& topology, int cpu_a, int cpu_b);

/// Two CPUs of one node by the numbers of the operating system; `first` < `second`.
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

/// All n(n-1)/2 pairs of usable CPUs with their class: the upper triangle of the pair matrix, row
/// by row, rows and columns in the order of `topology.pus`.
std::vector<HopPair> all_pairs(const Topology& topology);

/// How many pairs each class has, near to far; classes without a pair are not listed.
std::vector<HopCount> count_pairs(const Topology& topology);

/// One usable PU per core (the first), in order: pairs of these leave SMT siblings idle.
std::vector<Pu> first_of_each_core(const Topology& topology);

/// Up to `count` pairs of the class that have no core in common, evenly spread over the machine;
/// one PU per core except for smt. The core of CPU 0, which serves interrupts more often than
/// others, is used only when the pairs would not suffice without it. Deterministic; fewer pairs, or
/// none, when the machine has no more.
std::vector<CpuPair> spread_pairs(const Topology& topology, Hop hop, std::size_t count);

/// Whether the PU shares its core with CPU 0.
bool beside_cpu_zero(const Topology& topology, const Pu& pu);

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
/// (core/statistics.hpp), the last round is another one. Equal arguments give equal rounds.
/// InputError for fewer than 2 players, no rounds, or more than the tournament has (players - 1, or
/// players when they are odd).
std::vector<Round> sparse_tournament(int players, const SparseDesign& design);

/// Rounds that find a node 10 % slow among pairs that spread by 5 %, in any number of nodes
/// (docs/explanation/health.md).
inline constexpr int usual_rounds = 16;

/// Where a rank of a job lives.
struct RankSite {
  int node = 0;            ///< nodes are numbered from 0
  const Pu* pu = nullptr;  ///< nullptr when the rank is not bound to one CPU
};

/// How far apart two ranks are. Nothing is known of two ranks of one node when one is not bound, or
/// when they share a CPU.
std::optional<Hop> hop_between(const RankSite& one, const RankSite& other);

/// Two ranks and how far apart they are.
struct RankHop {
  RankPair ranks;
  std::optional<Hop> hop;

  friend bool operator==(const RankHop&, const RankHop&) = default;
};

/// Where the nodes of a job are in the network.
struct NodeNetwork {
  const SiteFile& sites;
  std::vector<std::string> hosts;  ///< the name of each node
};

/// One pair for each class that occurs, near to far: of its pairs the one with the fewest ranks on
/// the core of a CPU 0, as far as a rank on that tells which it is, then the lowest ranks. Where
/// the network is known, one for each of its classes in the order of their names. `sites` are those
/// of ranks 0, 1, and so on. Takes as long as there are pairs of ranks in nodes and of places in
/// the network, not of nodes. InputError for a host that the network does not have.
std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const NodeNetwork* network = nullptr);

}  // namespace hockney::placement
