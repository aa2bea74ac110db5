#include "benchmarks/harness/node_probe.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include "benchmarks/harness/placement.hpp"
#include "placement/machine.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t a_mebibyte = std::size_t{1} << 20U;

std::vector<int> allowed_cpus() { return placement::read_binding(-1).allowed_cpus; }

}  // namespace

TEST_CASE("arrays are six times the caches, within limits of a core and of the memory") {
  // 2 x 256 MiB for 128 cores; caches of a part of a large machine; small ones; none known.
  CHECK(bytes_for_core(128, 512 * a_mebibyte, 0) == 24 * a_mebibyte);
  CHECK(bytes_for_core(2, 512 * a_mebibyte, 0) == 64 * a_mebibyte);
  CHECK(bytes_for_core(8, a_mebibyte, 0) == 8 * a_mebibyte);
  CHECK(bytes_for_core(8, 0, 0) == 64 * a_mebibyte);
  CHECK(bytes_for_core(8, 0, 640 * a_mebibyte) == 10 * a_mebibyte);
}

TEST_CASE("the memory of some cores has a bandwidth, and the caller stays where it is bound") {
  const std::vector<int> before = allowed_cpus();
  const std::vector<int> cpus{before.front()};
  CHECK(memory_bandwidth(cpus, a_mebibyte).value_or(0) > 1e7);
  CHECK(allowed_cpus() == before);
  CHECK(memory_bandwidth(before, a_mebibyte).value_or(0) > 1e7);
}

TEST_CASE("without a CPU, on one that is not there, or without memory there is no bandwidth") {
  CHECK_FALSE(memory_bandwidth({}, a_mebibyte));
  CHECK_FALSE(memory_bandwidth(std::vector{1 << 20}, a_mebibyte));
  const std::vector<int> cpus{allowed_cpus().front()};
  CHECK_FALSE(memory_bandwidth(cpus, 8));
  CHECK_FALSE(memory_bandwidth(cpus, std::size_t{1} << 55U));
}

TEST_CASE("a node has one CPU of each core, and knows its caches") {
  const JobPlacement job = place_ranks(MPI_COMM_WORLD, {.bind = false, .allow_misplaced = true});
  REQUIRE(job.node_cores.size() == job.hosts.size());
  REQUIRE(job.node_cache_bytes.size() == job.hosts.size());
  CHECK_FALSE(job.node_cores.front().empty());
  CHECK(job.node_cores.front().size() <= job.node_cpus.front().size());
  for (const Host& host : job.hosts) CHECK(host.memory_bytes.value_or(0) > 0);
}

}  // namespace hockney::benchmarks
