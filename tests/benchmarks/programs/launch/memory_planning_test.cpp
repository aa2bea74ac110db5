#include "benchmarks/programs/launch/memory_planning.hpp"

#include <catch2/catch.hpp>

#include "benchmarks/harness/operators.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// What stands in the way of an operation of two ranks, whose second one has no device.
std::string why_not(const std::string& operation, const std::string& memory,
                    CacheState state = CacheState::hot, const std::string& op = "sum") {
  const Point point{.operation = operation,
                    .bytes = {8},
                    .ranks = 2,
                    .parameters = {{"memory", memory}, {"datatype", "double"}, {"operator", op}}};
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

TEST_CASE("points say their memory where it is asked for, and host is one of its values") {
  LaunchOptions options = options_for({"pingpong", "barrier"});
  options.sizes = {{8}};
  const auto memories = [&options] {
    std::vector<std::string> names;
    for (const PlannedPoint& planned : plan_workload(options, ranks_without_places(2)).points) {
      const auto memory = planned.point.parameters.find("memory");
      names.push_back(memory == planned.point.parameters.end() ? "" : memory->second);
    }
    return names;
  };
  CHECK(memories() == std::vector<std::string>{"", ""});
  options.memories = {parse_memory("host"), parse_memory("cuda-to-host")};
  CHECK(memories() == std::vector<std::string>{"host", "cuda-to-host", ""});
  CHECK(curve_name({.operation = "bcast", .parameters = {{"memory", "host"}}}) ==
        curve_name({.operation = "bcast"}));
}

}  // namespace hockney::benchmarks::programs
