#include "benchmarks/programs/launch/cache_planning.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/programs/launch/memory_planning.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr std::size_t fresh_bytes = std::size_t{256} << 20;  // of one rank in one block
constexpr std::size_t caches_held = 2;    // a ring is so many times as large as the cache
constexpr std::size_t cold_overhead = 3;  // of gaps between buffers, at worst (harness/layout.hpp)

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

RankMemory memory_of(const JobPlacement& job, int rank) {
  return job.memories.empty() ? RankMemory{} : job.memories[at(rank)];
}

/// Whether two ranks are at the same last-level cache, for certain.
bool share_cache(const JobPlacement& job, int a, int b) {
  const auto cache = memory_of(job, a).cache;
  return cache && cache == memory_of(job, b).cache &&
         job.sites[at(a)].node == job.sites[at(b)].node;
}

std::size_t cold_bytes(const JobPlacement& job, int rank, std::span<const GroupPlan> at_work) {
  std::size_t others = 0;
  for (const GroupPlan& group : at_work) {
    others += static_cast<std::size_t>(std::ranges::count_if(
        group.ranks, [&](int other) { return other != rank && share_cache(job, rank, other); }));
  }
  const std::size_t sharers = others + 1;
  const RankMemory memory = memory_of(job, rank);
  const std::size_t share = (caches_held * memory.cache_bytes + sharers - 1) / sharers;
  return std::max(share, caches_held * memory.inner_bytes);
}

/// What each rank comes to hold [B]: rings are kept from one block to the next.
std::map<int, std::size_t> memory_to_hold(CacheState state, const JobPlacement& job,
                                          std::span<const GroupRound> rounds) {
  std::map<int, std::size_t> held;
  for (const GroupRound& round : rounds) {
    for (const GroupPlan& group : round) {
      const std::size_t bytes = plan_cache(state, job, group, round).bytes *
                                (state == CacheState::cold ? cold_overhead : 1);
      for (const int rank : group.ranks) held[rank] = std::max(held[rank], bytes);
    }
  }
  return held;
}

}  // namespace

CachePlan plan_cache(CacheState state, const JobPlacement& job, const GroupPlan& group,
                     std::span<const GroupPlan> at_work) {
  CachePlan plan{.state = state};
  if (state == CacheState::fresh) plan.bytes = fresh_bytes;
  if (state != CacheState::cold) return plan;
  for (const int rank : group.ranks) {
    plan.bytes = std::max(plan.bytes, cold_bytes(job, rank, at_work));
    plan.line_bytes = std::max(plan.line_bytes, memory_of(job, rank).line_bytes);
  }
  return plan;
}

std::optional<std::string> cache_obstacle(CacheState state, const JobPlacement& job,
                                          std::span<const GroupRound> rounds,
                                          const std::optional<Bytes>& space) {
  if (state == CacheState::hot) return std::nullopt;
  std::map<int, std::size_t> wanted;  // of each node
  for (const auto& [rank, bytes] : memory_to_hold(state, job, rounds)) {
    const Site& site = job.sites[at(rank)];
    const RankMemory memory = memory_of(job, rank);
    if (state == CacheState::cold && memory.cache_bytes == 0) {
      return "the size of the last-level cache of " + site.host + " is not known";
    }
    wanted[site.node] += bytes;
    if (const auto excess = excess_over(job, rank, static_cast<double>(wanted[site.node]), space)) {
      return std::string(word(state)) + " buffers would take more than " + *excess;
    }
  }
  return std::nullopt;
}

}  // namespace hockney::benchmarks::programs
