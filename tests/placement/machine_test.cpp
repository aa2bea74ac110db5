#include <sched.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>

#include "placement/machine.hpp"
#include "placement/rank_pairs.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("a process is bound to each CPU it may use, and its affinity comes back") {
  const Topology topology = read_live_topology();
  const std::vector<int> before = read_binding(0).allowed_cpus;
  for (const int cpu : usable_cpus(topology)) {
    const ScopedBinding restore;
    const Binding binding = bind_this_process(topology, cpu, "rank 0");
    CHECK(binding.requested_cpu == cpu);
    CHECK(binding.allowed_cpus == std::vector<int>{cpu});
    CHECK(binding.last_cpu == cpu);
    CHECK(::sched_getcpu() == cpu);
    CHECK_FALSE(verify(binding, "rank 0"));
  }
  CHECK(read_binding(0).allowed_cpus == before);
}

TEST_CASE("a bound process sees the other CPUs as left out") {
  const Topology whole = read_live_topology();
  const int cpu = usable_cpus(whole).back();
  const ScopedBinding restore;
  bind_this_process(whole, cpu, "rank 0");
  const Topology narrow = read_live_topology();
  CHECK(usable_cpus(narrow) == std::vector<int>{cpu});
  CHECK(narrow.left_out.size() == whole.pus.size() + whole.left_out.size() - 1);
  CHECK(topology_digest(narrow) == topology_digest(whole));
  CHECK(restricted_to(narrow, usable_cpus(whole)) == whole);
}

TEST_CASE("a binding that is not as asked is told apart") {
  CHECK_FALSE(verify({3, {3}, 3}, "rank 1"));
  const auto wide = verify({3, {0, 1, 2, 3}, 3}, "rank 1");
  REQUIRE(wide);
  CHECK(to_line(*wide) ==
        "rank 1 is not bound to CPU 3 (it may run on CPUs 0-3 and was last seen on CPU 3) launch "
        "without binding, such as mpirun --bind-to none");
  CHECK(verify({3, {2}, 2}, "rank 1"));
  CHECK(verify({3, {3}, 2}, "rank 1"));
  CHECK(verify({3, {}, 3}, "rank 1"));
}

TEST_CASE("CPUs of another machine cannot be bound to") {
  CHECK_THROWS_WITH(bind_this_process(machine("pu:2"), 1, "rank 5"),
                    "cannot bind rank 5 to CPU 1 (topology 'synthetic pu:2' is not of this system) "
                    "place ranks with the live topology");
  CHECK_THROWS_AS(bind_this_process(machine("pu:2"), 1, "rank 5"), InputError);
}

TEST_CASE("CPUs this machine does not have cannot be bound to") {
  const Topology topology = read_live_topology();
  CHECK_THROWS_AS(bind_this_process(topology, 9000, "rank 5"), InputError);
  CHECK_THROWS_AS(bind_this_process(topology, -1, "rank 5"), InputError);
  CHECK_THROWS_WITH(bind_this_process(topology, 9000, "rank 5"),
                    Catch::StartsWith("cannot bind rank 5 to CPU 9000 (topology 'live' has CPUs "));
}

TEST_CASE("what the operating system refuses is a failed run that names rank and CPU") {
  // A topology that claims a CPU the machine does not have stands for one that a cpuset forbids:
  // in both cases the kernel answers EINVAL.
  Topology topology = read_live_topology();
  Pu claimed = topology.pus.front();
  claimed.os_cpu = 1000;
  REQUIRE(find_pu(topology, 1000) == nullptr);
  topology.pus.push_back(claimed);
  const std::vector<int> before = read_binding(0).allowed_cpus;
  CHECK_THROWS_AS(bind_this_process(topology, 1000, "rank 5"), RunError);
  CHECK_THROWS_WITH(bind_this_process(topology, 1000, "rank 5"),
                    Catch::StartsWith("cannot bind rank 5 to CPU 1000 ("));
  CHECK(read_binding(0).allowed_cpus == before);
}

TEST_CASE("binding refuses to act on a machine that hwloc only pretends to see") {
  const Topology topology = read_live_topology();
  ::setenv("HWLOC_SYNTHETIC", "pu:64", 1);
  CHECK_THROWS_AS(bind_this_process(topology, topology.pus.front().os_cpu, "rank 0"), RunError);
  ::unsetenv("HWLOC_SYNTHETIC");
}

}  // namespace

TEST_CASE("the near node is that of the CPU, the far one farthest up the tree") {
  const NodeMemory machine("pack:2 [numa] core:2 pu:2");
  CHECK(machine.nodes() == std::vector<int>{0, 1});
  CHECK(machine.near(0) == 0);
  CHECK(machine.far(0) == 1);
  CHECK(machine.near(7) == 1);
  CHECK(machine.far(7) == 0);
  CHECK_FALSE(machine.near(8));
  CHECK_FALSE(machine.far(8));
}

TEST_CASE("of several nodes in a package, one of the other package is far") {
  const NodeMemory machine("pack:2 group:2 [numa] core:2 pu:1");
  REQUIRE(machine.nodes().size() == 4);
  CHECK(machine.near(2) == 1);
  CHECK(machine.far(2) == 2);
  CHECK(machine.far(6) == 0);
}

TEST_CASE("a machine with one node has none that is far") {
  const NodeMemory machine("[numa] core:2 pu:1");
  CHECK(machine.near(1) == 0);
  CHECK_FALSE(machine.far(1));
  CHECK_FALSE(machine.bind(nullptr, 0, 1).empty());
}

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
