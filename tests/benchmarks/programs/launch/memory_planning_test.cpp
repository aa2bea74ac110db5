#include "benchmarks/programs/launch/memory_planning.hpp"

#include <catch2/catch.hpp>

#include "benchmarks/harness/operators.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

namespace hockney::benchmarks::programs {
namespace {

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

}  // namespace hockney::benchmarks::programs
