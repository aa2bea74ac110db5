#include "benchmarks/harness/rank_memory.hpp"

#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"
#include "placement/read_topology.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("a rank bound to one cache knows its number, a wandering one only the largest size") {
  const placement::Topology topology{
      .last_caches = {{.bytes = 100, .line_bytes = 64, .inner_bytes = 10, .os_cpus = {0, 1}},
                      {.bytes = 200, .line_bytes = 128, .inner_bytes = 5, .os_cpus = {2, 3}}}};
  CHECK(describe_caches(topology, {3}) == RankMemory{1, 200, 128, 5});
  CHECK(describe_caches(topology, {0, 1}) == RankMemory{0, 100, 64, 10});
  CHECK(describe_caches(topology, {1, 2}) == RankMemory{std::nullopt, 200, 128, 10});
  CHECK(describe_caches(topology, {7}) == RankMemory{});
}

TEST_CASE("available memory is read from the kernel's text") {
  CHECK(available_memory("MemTotal:  100 kB\nMemAvailable:      10 kB\nSwap: 1 kB\n") == 10240);
  CHECK(available_memory("MemTotal:  100 kB\n") == 0);
  CHECK(available_memory("") == 0);
}

TEST_CASE("every rank knows the memory of all ranks") {
  const placement::Topology topology = placement::read_live_topology();
  const auto cpus = usable_cpus(topology);
  const auto memories = gather_memories(MPI_COMM_WORLD, topology, cpus);
  REQUIRE(static_cast<int>(memories.size()) == size_of(MPI_COMM_WORLD));
  for (const RankMemory& memory : memories) {
    RankMemory expected = describe_caches(topology, cpus);
    expected.free_bytes = memory.free_bytes;
    CHECK(memory == expected);
    CHECK(memory.free_bytes > 0);
  }
}

}  // namespace
}  // namespace hockney::benchmarks
