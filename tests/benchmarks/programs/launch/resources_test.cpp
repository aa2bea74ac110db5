#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/resources.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

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

/// What stands in the way of an operation of two ranks, whose second one has no device.
std::string why_not(const std::string& operation, const std::string& memory,
                    CacheState state = CacheState::hot, const std::string& op = "sum") {
  const Point point{.operation = operation,
                    .bytes = {8},
                    .ranks = 2,
                    .parameters = {{memory_parameter, parse_memory(memory)},
                                   {datatype_parameter, "double"},
                                   {operator_parameter, &find_operator(op)}}};
  const MemoryFacts facts{.refusals = {{"cuda", {"", "no device"}}, {"huge", {"", ""}}},
                          .unsendable = {{"rocm", "MPI does not take it"}}};
  return kind_obstacle(find_operation(operation).descriptor, point, state, ranks_without_places(2),
                       {.ranks = {0, 1}}, facts)
      .value_or("");
}

}  // namespace

TEST_CASE("memory of the host, and what every rank has, stand in no way") {
  CHECK(why_not("pingpong", "host").empty());
  CHECK(why_not("pingpong", "huge").empty());
  CHECK(why_not("floor-memcpy", "huge").empty());
  CHECK(why_not("allreduce", "huge", CacheState::cold).empty());
}

TEST_CASE("a device is needed on the side alone that is said to be on one") {
  CHECK(why_not("pingpong", "cuda-to-host").empty());
  CHECK(why_not("pingpong", "cuda") == "no device: rank 1 on a");
  CHECK(why_not("pingpong", "host-to-cuda") == "no device: rank 1 on a");
}

TEST_CASE("MPI is not given memory that it does not say it takes; floors need no MPI") {
  CHECK(why_not("pingpong", "rocm") == "MPI does not take it");
  CHECK(why_not("floor-device-to-host", "rocm").empty());
}

TEST_CASE("what an operation does with its buffers may need those of the host") {
  CHECK_THAT(why_not("put", "huge"), Catch::Contains("windows"));
  CHECK_THAT(why_not("pingpong", "huge", CacheState::fresh), Catch::Contains("fresh pages"));
  CHECK_THAT(why_not("allreduce", "huge-to-host"), Catch::Contains("no two sides"));
  CHECK_THAT(why_not("pingpong", "cuda-to-host", CacheState::cold), Catch::Contains("are hot"));
  CHECK_THAT(why_not("floor-memcpy", "cuda-to-host"), Catch::Contains("of the host"));
  CHECK_THAT(why_not("allreduce", "rocm", CacheState::hot, "user-sum"),
             Catch::Contains("a function of the host"));
}

namespace {

constexpr double fresh_space = 256 << 20;

/// Two ranks on each of two nodes, of which the second has less free memory.
JobPlacement two_nodes() {
  JobPlacement job = ranks_on({"a", "a", "b", "b"});
  job.representatives = {{{0, 1}, placement::Hop::l3}, {{0, 2}, placement::Hop::cross_node}};
  job.memories.assign(4, {.free_bytes = std::size_t{4} << 30});
  job.memories[2].free_bytes = job.memories[3].free_bytes = std::size_t{1} << 30;
  return job;
}

LaunchOptions bandwidth_of(int window) {
  LaunchOptions options = options_for({"bandwidth"});
  options.sizes = {{8}};
  options.choices.set(window_parameter, {window});
  return options;
}

}  // namespace

TEST_CASE("what buffers take is counted with pages, places and windows") {
  const auto of = [](int window, const CachePlan& cache) {
    const Point point{.operation = "bandwidth",
                      .bytes = {8},
                      .ranks = 2,
                      .parameters = {{window_parameter, window}}};
    return buffer_memory(find_operation("bandwidth").descriptor, point, cache);
  };
  // 65 buffers of 8 bytes, each on a page, in four places; 1 KiB for each in the library.
  CHECK(of(64, {}) == 4 * 65 * (8 + 4096) + 64 * 1024);
  CHECK(of(64, {.state = CacheState::fresh, .bytes = 256 << 20}) == fresh_space + 64 * 1024);
  CHECK(of(64, {.state = CacheState::cold, .bytes = 100, .line_bytes = 64}) ==
        2 * 65 * (8 + 128) + 64 * 1024);
}

TEST_CASE("a window that a node has no memory for is refused before any is taken") {
  const JobPlacement job = two_nodes();
  // 32 000 messages take 532 MiB of each rank: too much for b, which has one rank in a pair.
  const LaunchPlan small = plan_workload(bandwidth_of(28'000), job);
  CHECK_NOTHROW(check_memory(small, job, {}));
  const LaunchPlan large = plan_workload(bandwidth_of(32'000), job);
  CHECK(large.points.front().status == PointStatus::measured);
  CHECK_THROWS_WITH(
      check_memory(large, job, {}),
      Catch::StartsWith("bandwidth ") && Catch::Contains("window=32000") &&
          Catch::Contains("more than half of the free memory of b, which is 1G") &&
          Catch::EndsWith("use smaller --window, or allow it with --buffer-space 1085M"));
  CHECK_NOTHROW(check_memory(large, job, Bytes{1085 << 20}));
  CHECK_THROWS_WITH(check_memory(large, job, Bytes{100 << 20}),
                    Catch::Contains("more than --buffer-space, which is 100M"));
}

TEST_CASE("ranks of a node count together, and all simulated ones") {
  JobPlacement job = ranks_on({"a", "b"});
  job.representatives = {{{0, 1}, placement::Hop::cross_node}};
  const LaunchPlan plan = plan_workload(bandwidth_of(40'000), job);
  job.memories.assign(2, {.free_bytes = std::size_t{2} << 30});  // 667 MiB of each rank
  CHECK_NOTHROW(check_memory(plan, job, {}));
  job.sites[1].node = 0;
  CHECK_THROWS_WITH(check_memory(plan, job, {}), Catch::Contains("take 1330M"));
  job.sites[1].node = 1;
  job.memories.clear();
  CHECK_NOTHROW(check_memory(plan, job, {}));  // nothing is known
  job.simulated_on_bytes = std::size_t{2} << 30;
  CHECK_THROWS_WITH(check_memory(plan, job, {}), Catch::Contains("take 1330M"));
}

TEST_CASE("sizes that are too large for a group are skipped, where no option asks for windows") {
  const JobPlacement job = two_nodes();
  LaunchOptions options = options_for({"alltoall"});
  options.sizes = {{8}, {1 << 28}};
  const LaunchPlan plan = plan_workload(options, job);
  REQUIRE(plan.points.size() == 2);
  CHECK(plan.points[0].status == PointStatus::measured);
  CHECK(plan.points[1].status == PointStatus::skipped);
  CHECK_THAT(plan.points[1].reason, Catch::Contains("more than half of the free memory of a"));
  CHECK_NOTHROW(check_memory(plan, job, {}));
}

TEST_CASE("points say their memory where it is asked for, and host is one of its values") {
  LaunchOptions options = options_for({"pingpong", "barrier"});
  options.sizes = {{8}};
  const auto memories = [&options] {
    std::vector<std::string> names;
    for (const PlannedMeasurement& planned :
         plan_workload(options, ranks_without_places(2)).points) {
      names.push_back(planned.point.parameters.texts()["memory"]);
    }
    return names;
  };
  CHECK(memories() == std::vector<std::string>{"", ""});
  options.choices.set(memory_parameter, {parse_memory("host"), parse_memory("cuda-to-host")});
  CHECK(memories() == std::vector<std::string>{"host", "cuda-to-host", ""});
  CHECK(curve_name({.operation = "bcast", .parameters = {{memory_parameter, MemorySides{}}}}) ==
        curve_name({.operation = "bcast"}));
}

namespace {

using Cpus = std::vector<std::vector<int>>;

/// Ranks that are bound to these CPUs of one node, which has eight.
JobPlacement bound_to(const std::vector<int>& cpus) {
  JobPlacement job{.sites = number_sites(std::vector<std::string>(cpus.size(), "a")),
                   .node_cpus = {{0, 2, 4, 6, 1, 3, 5, 7}}};
  for (std::size_t rank = 0; rank < cpus.size(); ++rank) {
    job.places.push_back({.rank = static_cast<int>(rank), .actual_cpus = {cpus[rank]}});
  }
  return job;
}

TEST_CASE("threads get CPUs of ranks that are not at work, then those of nobody") {
  const ThreadPlaces alone = place_threads(bound_to({0, 2}), {0, 1}, 3);
  CHECK(alone.cpus == Cpus{{0, 4, 6}, {2, 1, 3}});
  CHECK_FALSE(alone.are_shared);
  const ThreadPlaces borrowed = place_threads(bound_to({0, 7, 2, 5}), {0, 2}, 2);
  CHECK(borrowed.cpus == Cpus{{0, 7}, {2, 5}});
  CHECK_FALSE(borrowed.are_shared);
  CHECK(place_threads(bound_to({0, 2}), {0, 1}, 1).cpus == Cpus{{0}, {2}});
}

TEST_CASE("threads share the CPUs of their rank where there are not enough, as many in each") {
  const ThreadPlaces crowded = place_threads(bound_to({0, 2}), {0, 1}, 6);
  CHECK(crowded.cpus == Cpus{{0, 4, 6, 1, 0, 4}, {2, 3, 5, 7, 2, 3}});
  CHECK(crowded.are_shared);
  CHECK(place_threads(bound_to({0, 0}), {0, 1}, 1).are_shared);
}

TEST_CASE("threads in the place of ranks run where these would, on no other CPU") {
  const JobPlacement job = bound_to({0, 7, 2, 5});
  const ThreadPlaces places = place_threads_as_ranks(job, {0, 2}, 2);
  CHECK(places.cpus == Cpus{{0, 7}, {2, 5}});
  CHECK_FALSE(places.are_shared);
  CHECK(spread_ranks(job, 2).front().ranks == std::vector<int>{0, 2});
  CHECK(spread_ranks(job, 1).front().ranks == std::vector<int>{0, 1, 2, 3});
  CHECK(place_threads_as_ranks(bound_to({0, 7, 0, 7}), {0, 2}, 2).are_shared);
}

TEST_CASE("threads of ranks that are not bound are not bound either") {
  JobPlacement job = bound_to({0, 2});
  job.places[1].actual_cpus = {1, 2, 3};
  CHECK(place_threads(job, {0, 1}, 2).cpus.empty());
  CHECK(place_threads_as_ranks(job, {0}, 2).cpus.empty());
  CHECK_FALSE(place_threads(job, {0, 1}, 4).are_shared);
  CHECK(place_threads(job, {0, 1}, 5).are_shared);
}

TEST_CASE("more than 32 threads for each CPU are refused") {
  const JobPlacement job = bound_to({0, 2});
  const auto plan_of = [](int threads) {
    LaunchPlan plan{.rounds = {{{.ranks = {0, 1}}}}};
    PlannedMeasurement& planned = plan.points.emplace_back();
    planned.point.parameters = {{threads_parameter, threads}};
    return plan;
  };
  CHECK_NOTHROW(check_threads(plan_of(128), job));  // two ranks on eight CPUs
  CHECK_THROWS_WITH(check_threads(plan_of(129), job),
                    "--threads 129 of 2 ranks on a node of 8 CPUs (each would wait for its CPU "
                    "most of the time) use at most 128");
  LaunchPlan skipped = plan_of(2000);
  skipped.points.front().status = PointStatus::skipped;
  CHECK_NOTHROW(check_threads(skipped, job));
}

TEST_CASE("a CPU of one number on two nodes is not shared") {
  JobPlacement job = bound_to({0, 0});
  job.sites = number_sites({"a", "b"});
  job.node_cpus = {{0, 1}, {0, 1}};
  const ThreadPlaces places = place_threads(job, {0, 1}, 2);
  CHECK(places.cpus == Cpus{{0, 1}, {0, 1}});
  CHECK_FALSE(places.are_shared);
}

TEST_CASE("ranks that threads cannot stand for are told") {
  const JobPlacement job = bound_to({0, 1, 2, 3, 4, 5});
  CHECK_FALSE(spread_obstacle(job, GroupShape::pairs, 1));
  CHECK_FALSE(spread_obstacle(job, GroupShape::pairs, 3));
  CHECK_FALSE(spread_obstacle(job, GroupShape::everybody, 2));
  CHECK(spread_obstacle(job, GroupShape::pairs, 2) == "6 ranks are no pairs of ranks of 2 threads");
  CHECK(spread_obstacle(job, GroupShape::everybody, 4) ==
        "6 ranks are no two or more ranks of 4 threads");
  CHECK(spread_obstacle(job, GroupShape::everybody, 6) ==
        "6 ranks are no two or more ranks of 6 threads");
  JobPlacement nodes = job;
  nodes.sites = number_sites({"a", "a", "a", "b", "b", "b"});
  CHECK(spread_obstacle(nodes, GroupShape::everybody, 2) ==
        "the threads of a rank would be on two nodes");
  CHECK_FALSE(spread_obstacle(nodes, GroupShape::pairs, 3));
}

}  // namespace
}  // namespace hockney::benchmarks::programs
