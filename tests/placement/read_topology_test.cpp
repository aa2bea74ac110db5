#include "placement/read_topology.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>

#include "placement/hop.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

/// An environment variable for the time of a scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  Variable(Variable&&) = delete;
  Variable& operator=(Variable&&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST_CASE("a synthetic text becomes PUs with their groups") {
  const Topology topology = machine("pack:2 numa:1 l3:2 l2:1 core:2 pu:2");
  CHECK_FALSE(topology.is_this_system);
  CHECK(topology.source == "synthetic pack:2 numa:1 l3:2 l2:1 core:2 pu:2");
  REQUIRE(topology.pus.size() == 16);
  CHECK(topology.pus[0] == Pu{.os_cpu = 0, .core = 0, .l2 = 0, .l3 = 0, .numa = {0}, .package = 0});
  CHECK(topology.pus[6] == Pu{.os_cpu = 6, .core = 3, .l2 = 1, .l3 = 1, .numa = {0}, .package = 0});
  CHECK(topology.pus[15] ==
        Pu{.os_cpu = 15, .core = 7, .l2 = 3, .l3 = 3, .numa = {1}, .package = 1});
}

TEST_CASE("groups the machine does not know stay empty") {
  const Topology bare = machine("pu:4");
  REQUIRE(bare.pus.size() == 4);
  CHECK(bare.pus[3] == Pu{.os_cpu = 3, .core = 3, .l2 = {}, .l3 = {}, .numa = {0}, .package = 0});
  const Topology hybrid = fixture("hybrid");
  CHECK(find_pu(hybrid, 7)->l3 == 0);
  CHECK(find_pu(hybrid, 9)->l3 == std::nullopt);
  CHECK(hybrid.cpu_model == "Hybrid example");
}

TEST_CASE("last-level caches are known with their sizes and CPUs") {
  const Topology topology =
      machine("pack:2 l3:1(size=33554432) l2:2(size=1048576) l1:1(size=32768) pu:1");
  REQUIRE(topology.last_caches.size() == 2);
  CHECK(topology.last_caches[0].bytes == std::size_t{32} << 20);
  CHECK(topology.last_caches[0].inner_bytes == std::size_t{1} << 20);
  CHECK(topology.last_caches[0].os_cpus == std::vector{0, 1});
  CHECK(topology.last_caches[1].os_cpus == std::vector{2, 3});
}

TEST_CASE("where there is no L3, the L2 is the last cache, and alone it has no inner one") {
  const Topology topology = machine("pack:1 l2:2(size=8388608) core:2 pu:1");
  REQUIRE(topology.last_caches.size() == 2);
  CHECK(topology.last_caches[1].bytes == std::size_t{8} << 20);
  CHECK(topology.last_caches[1].inner_bytes == 0);
  CHECK(topology.last_caches[1].os_cpus == std::vector{2, 3});
  CHECK(machine("pack:1 core:2 pu:1").last_caches.empty());
}

TEST_CASE("an L1 cache that cores share stands in where there is no L2") {
  const Topology topology = machine("pack:1 l1:2 core:2 pu:1");
  CHECK(find_pu(topology, 1)->l2 == 0);
  CHECK(find_pu(topology, 2)->l2 == 1);
  CHECK(hop_class(topology, 0, 1) == Hop::l2);
}

TEST_CASE("the operating system's numbers are kept, in hwloc's order") {
  const Topology topology = fixture("xeon-interleaved");
  REQUIRE(topology.pus.size() == 16);
  CHECK(topology.pus[1].os_cpu == 8);
  CHECK(find_pu(topology, 1)->package == 1);
  CHECK(find_pu(topology, 8)->core == find_pu(topology, 0)->core);
}

TEST_CASE("memory is a set of nodes") {
  CHECK(find_pu(fixture("tiered-memory"), 5)->numa == std::vector<int>{2, 3});
  CHECK(find_pu(fixture("snc2"), 5)->numa == std::vector<int>{1});
}

TEST_CASE("CPUs an XML file marks as not allowed are left out") {
  const Topology topology = fixture("cgroup");
  CHECK(usable_cpus(topology) == std::vector<int>{2, 3, 4, 5});
  REQUIRE(topology.left_out.size() == 8);
  CHECK(topology.left_out.front().os_cpu == 0);
}

TEST_CASE("hwloc 1 files are read") {
  const Topology topology = fixture("hwloc-v1");
  CHECK(topology == [] {
    Topology same = machine("pack:2 core:2 pu:2");
    same.source = "xml " HOCKNEY_SOURCE_DIR "/tests/fixtures/topologies/hwloc-v1.xml";
    return same;
  }());
}

TEST_CASE("this machine is read") {
  const Topology topology = read_live_topology();
  CHECK(topology.source == "live");
  CHECK(topology.is_this_system);
  REQUIRE_FALSE(topology.pus.empty());
  CHECK(topology_digest(topology) == topology_digest(read_live_topology()));
}

TEST_CASE("a live topology that hwloc's variables replace says so") {
  const Variable synthetic("HWLOC_SYNTHETIC", "pack:2 core:2 pu:1");
  const Topology topology = read_live_topology();
  CHECK(topology.source == "live HWLOC_SYNTHETIC=pack:2 core:2 pu:1");
  CHECK_FALSE(topology.is_this_system);
  CHECK(usable_cpus(topology) == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("reading leaves the environment as it was") {
  CHECK_THROWS(machine("nonsense"));
  CHECK(std::getenv("HWLOC_HIDE_ERRORS") == nullptr);
  const Variable chosen("HWLOC_HIDE_ERRORS", "0");
  machine("pu:2");
  CHECK(std::getenv("HWLOC_HIDE_ERRORS") == std::string("0"));
}

TEST_CASE("the largest machine Linux numbers is read") {
  CHECK(machine("pack:64 core:64 pu:2").pus.size() == 8192);
}

}  // namespace
}  // namespace hockney::placement
