#include "benchmarks/programs/launch/cache_planning.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace hockney::benchmarks::programs {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Ranks 0, 1 and 2 at one cache of 32 MiB, rank 3 at another one, rank 4 free to move between
/// them; rank 5 on another node, whose only cache has 8 MiB.
JobPlacement six_ranks() {
  JobPlacement job{.sites = number_sites({"a", "a", "a", "a", "a", "b"})};
  const RankMemory memory{.cache = 0,
                          .cache_bytes = 32 * mebibyte,
                          .line_bytes = 64,
                          .inner_bytes = 1 * mebibyte,
                          .free_bytes = 8192 * mebibyte};
  job.memories.assign(6, memory);
  job.memories[3].cache = 1;
  job.memories[4].cache = std::nullopt;
  job.memories[5].cache_bytes = 8 * mebibyte;
  job.memories[5].line_bytes = 128;
  return job;
}

std::size_t cold_ring(const std::vector<int>& group, const GroupRound& others = {}) {
  GroupRound at_work = others;
  at_work.push_back({group, {}});
  return plan_cache(CacheState::cold, six_ranks(), at_work.back(), at_work).bytes;
}

TEST_CASE("ranks that share a cache share what goes round, twice the cache in all") {
  CHECK(cold_ring({0, 1}) == 32 * mebibyte);
  CHECK(cold_ring({0, 1, 2}) == (64 * mebibyte + 2) / 3);
  CHECK(cold_ring({0, 3}) == 64 * mebibyte);  // each has a cache for itself
  CHECK(cold_ring({0, 4}) == 64 * mebibyte);  // nobody knows where rank 4 is
  CHECK(cold_ring({5}) == 16 * mebibyte);
}

TEST_CASE("teams at work at the same time share a cache, too") {
  CHECK(cold_ring({0, 1}, {{{2, 3}, {}}}) == (64 * mebibyte + 2) / 3);
  CHECK(cold_ring({0, 3}, {{{1, 2}, {}}}) == 64 * mebibyte);  // the largest share: rank 3 has one
}

TEST_CASE("all ranks of a team have the ring of the one that needs most, and its lines") {
  const JobPlacement job = six_ranks();
  const GroupPlan group{{0, 5}, {}};
  const CachePlan plan = plan_cache(CacheState::cold, job, group, {&group, 1});
  CHECK(plan.bytes == 64 * mebibyte);
  CHECK(plan.line_bytes == 128);
}

TEST_CASE("many ranks at one cache still go round more than the caches of their own") {
  JobPlacement job = six_ranks();
  for (RankMemory& memory : job.memories) {
    memory.cache = 0;
    memory.inner_bytes = 30 * mebibyte;
  }
  const GroupPlan group{{0, 1, 2}, {}};
  CHECK(plan_cache(CacheState::cold, job, group, {&group, 1}).bytes == 60 * mebibyte);
}

TEST_CASE("hot buffers need no plan, fresh ones a bound") {
  const JobPlacement job = six_ranks();
  const GroupPlan group{{0, 1}, {}};
  CHECK(plan_cache(CacheState::hot, job, group, {&group, 1}) == CachePlan{});
  CHECK(plan_cache(CacheState::fresh, job, group, {&group, 1}).bytes == 256 * mebibyte);
}

TEST_CASE("a cache of unknown size stands in the way of cold buffers alone") {
  JobPlacement job = six_ranks();
  const std::vector<GroupRound> rounds{{{{0, 1}, {}}}, {{{2, 5}, {}}}};
  CHECK_FALSE(cache_obstacle(CacheState::cold, job, rounds));
  job.memories[5].cache_bytes = 0;
  CHECK(cache_obstacle(CacheState::cold, job, rounds) ==
        "the size of the last-level cache of b is not known");
  CHECK_FALSE(cache_obstacle(CacheState::hot, job, rounds));
  CHECK_FALSE(cache_obstacle(CacheState::fresh, job, rounds));
}

TEST_CASE("buffers must fit half of the free memory of each node") {
  JobPlacement job = six_ranks();
  const std::vector<GroupRound> rounds{{{{0, 1}, {}}}, {{{0, 2}, {}}}};
  for (RankMemory& memory : job.memories) memory.free_bytes = 6 * 256 * mebibyte;
  CHECK_FALSE(cache_obstacle(CacheState::fresh, job, rounds));  // three ranks with 256 MiB each
  for (RankMemory& memory : job.memories) memory.free_bytes -= 2;
  CHECK(cache_obstacle(CacheState::fresh, job, rounds) ==
        "fresh buffers would take more than half of the free memory of a, which is 1535M");
  for (RankMemory& memory : job.memories) memory.free_bytes = 2 * 3 * 3 * 32 * mebibyte;
  CHECK_FALSE(cache_obstacle(CacheState::cold, job, rounds));  // with gaps, three times 32 MiB each
  for (RankMemory& memory : job.memories) memory.free_bytes -= 2;
  CHECK(cache_obstacle(CacheState::cold, job, rounds));
  for (RankMemory& memory : job.memories) memory.free_bytes = 0;  // unknown is no obstacle
  CHECK_FALSE(cache_obstacle(CacheState::cold, job, rounds));
}

}  // namespace
}  // namespace hockney::benchmarks::programs
