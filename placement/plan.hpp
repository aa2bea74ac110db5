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

/// At most `most_cpus` usable CPUs whose pairs show many of the wanted hop classes, in the order of
/// choice.
///
/// A greedy set cover. Classes are covered near to far, but smt last, because MPI jobs seldom put
/// two ranks on one core. For each missing class the pair with the fewest new CPUs is added. Ties
/// are broken in this order: most further classes shown; most missing classes reachable; not on the
/// core of CPU 0; first. One PU per core is used, except for smt. Classes nest, so k CPUs show at
/// most k-1 of them; on symmetric machines the cover reaches that bound.
std::vector<int> cover_hops(const Topology& topology, const std::vector<Hop>& wanted,
                            std::size_t most_cpus);

/// Usable CPUs, neighbours first: one per core in order, then the second PU of each core, and so
/// on.
std::vector<int> compact_order(const Topology& topology);

/// Usable CPUs in scattered order. Consecutive CPUs are in different packages, then in different
/// NUMA nodes, L3 and L2 caches, then cores. Second PUs of cores come last.
std::vector<int> scatter_order(const Topology& topology);

/// The first CPU of each NUMA node, each L3 cache or each core, in order. Skips cores without an
/// L3.
std::vector<int> one_per_core(const Topology& topology);
std::vector<int> one_per_numa(const Topology& topology);
std::vector<int> one_per_l3(const Topology& topology);

/// Mapping of ranks to CPUs:
/// - hops: pairs of as many hop classes as possible, the rest compact;
/// - compact: neighbouring cores;
/// - scatter: far apart;
/// - listed: the user's list.
enum class Policy { hops, compact, scatter, listed };

constexpr auto words_of(std::type_identity<Policy>) {
  return std::to_array<std::string_view>({"hops", "compact", "scatter"});
}

/// "hops", "compact", "scatter"; InputError with the nearest name otherwise. The policy `listed`
/// has no name.
Policy parse_policy(std::string_view name);

struct PlanOptions {
  Policy policy = Policy::hops;
  std::vector<Hop> hops{node_hops.begin(), node_hops.end()};  ///< wanted classes
  std::vector<int> cpus;  ///< for Policy::listed: the CPU of local rank 0, 1, ...
};

/// Whether each rank has its own CPU. Times of oversubscribed ranks measure the operating system's
/// scheduler, not the machine.
enum class CpuUse { exclusive, oversubscribed };

/// Why a plan has no pair of a wanted class.
enum class Shortfall {
  absent,         ///< no two usable CPUs of this node are this far apart
  too_few_ranks,  ///< `ranks_needed` ranks suffice
  not_listed      ///< only CPUs outside the user's list are this far apart
};

struct UncoveredHop {
  Hop hop = Hop::smt;
  Shortfall reason = Shortfall::absent;
  std::optional<int> ranks_needed;  ///< with the same options; set for too_few_ranks only

  friend bool operator==(const UncoveredHop&, const UncoveredHop&) = default;
};

/// The CPU of each rank of one node, and the hop classes of their pairs.
struct Plan {
  std::vector<int> cpus;  ///< by local rank
  CpuUse use = CpuUse::exclusive;
  std::vector<HopPair> covered;         ///< one pair of CPUs per wanted class, near to far
  std::vector<UncoveredHop> uncovered;  ///< the other wanted classes, near to far
};

/// InputError if `local_ranks` is not in 1..max_local_ranks, a listed CPU is not usable, or the
/// list is too short. With more ranks than CPUs, the CPUs are used in turn and Plan::use is
/// oversubscribed.
Plan make_plan(const Topology& topology, int local_ranks, const PlanOptions& options = {});

/// Enough for any node, and small enough to detect typing errors.
inline constexpr int max_local_ranks = 1 << 16;

/// The fewest local ranks (at least 1) with which Policy::hops covers every class of the node.
int ranks_to_cover_all(const Topology& topology);

}  // namespace hockney::placement
