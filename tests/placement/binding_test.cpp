#include "placement/binding.hpp"

#include <sched.h>

#include <catch2/catch.hpp>
#include <cstdlib>

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
}  // namespace hockney::placement
