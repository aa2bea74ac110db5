#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "placement/rank_pairs.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// Few usable CPUs whose pairs show many of the wanted hop classes, at most `most_cpus` of them, in
/// the order they were chosen.
///
/// A greedy set cover. Classes are taken near to far, but smt last, because MPI jobs seldom put two
/// ranks on one core. For each class not shown yet the pair that needs the fewest new CPUs is
/// added; among those the one that shows most further classes, then the one from which most of the
/// missing classes can be reached, then one away from the core of CPU 0, then the first. One PU per
/// core is used, except for smt. Classes nest, so k CPUs show at most k-1 of them; on machines
/// whose parts are alike the cover reaches that bound.
std::vector<int> cover_hops(const Topology& topology, const std::vector<Hop>& wanted,
                            std::size_t most_cpus);

/// Usable CPUs, neighbours first: one per core in order, then the second PU of each core, and so
/// on.
std::vector<int> compact_order(const Topology& topology);

/// Usable CPUs dealt out like cards: consecutive ones in different packages, then in different NUMA
/// nodes, L3 and L2 caches, then cores; second PUs of cores come last.
std::vector<int> scatter_order(const Topology& topology);

/// The first CPU of each NUMA node, or of each L3 cache, in order: one rank for each. Cores without
/// an L3, where others have one, are in none.
std::vector<int> one_per_numa(const Topology& topology);
std::vector<int> one_per_l3(const Topology& topology);

/// How ranks get CPUs. hops: pairs of as many hop classes as possible, the rest compact; compact:
/// neighbouring cores; scatter: far apart; listed: the user's own list.
enum class Policy { hops, compact, scatter, listed };

constexpr auto words_of(std::type_identity<Policy>) {
  return std::to_array<std::string_view>({"hops", "compact", "scatter"});
}

/// "hops", "compact", "scatter"; InputError naming the nearest. `listed` has no name: it is the
/// list.
Policy parse_policy(std::string_view name);
std::string policy_name(Policy policy);

struct PlanOptions {
  Policy policy = Policy::hops;
  std::vector<Hop> hops{node_hops.begin(), node_hops.end()};  ///< the classes that are wanted
  std::vector<int> cpus;  ///< for Policy::listed: the CPU of local rank 0, 1, ...
};

/// Whether each rank has a CPU to itself. Times of oversubscribed ranks tell about the scheduler of
/// the operating system, not about the machine.
enum class CpuUse { exclusive, oversubscribed };

/// Why a wanted class is not among the pairs of a plan.
enum class Shortfall {
  absent,         ///< no two usable CPUs of this node are this far apart
  too_few_ranks,  ///< `ranks_needed` would do
  not_listed      ///< no two CPUs of the user's list are this far apart, others of the node are
};

struct UncoveredHop {
  Hop hop = Hop::smt;
  Shortfall reason = Shortfall::absent;
  std::optional<int> ranks_needed;  ///< with the same options; set for too_few_ranks only

  friend bool operator==(const UncoveredHop&, const UncoveredHop&) = default;
};

/// Which CPU each rank of one node is bound to, and what its pairs can show.
struct Plan {
  std::vector<int> cpus;  ///< by local rank
  CpuUse use = CpuUse::exclusive;
  std::vector<HopPair> covered;         ///< one pair of CPUs per wanted class, near to far
  std::vector<UncoveredHop> uncovered;  ///< the other wanted classes, near to far
};

/// InputError when `local_ranks` is not in 1..max_local_ranks, or when a listed CPU is not usable
/// or the list is shorter than the ranks. More ranks than CPUs is no error: CPUs are then used in
/// turn and the plan says so.
Plan make_plan(const Topology& topology, int local_ranks, const PlanOptions& options = {});

/// Enough for any node, and small enough to refuse a slip of the keyboard.
inline constexpr int max_local_ranks = 1 << 16;

/// The fewest local ranks (at least 1) for which Policy::hops covers every class the node has.
int ranks_to_cover_all(const Topology& topology);

}  // namespace hockney::placement
